"""Opens one add-in in a headless LibreOffice, which compiles its VBA, and calls procedures and formulas in it.

Started with a Python that has `uno`; reads a job as JSON from standard input and answers with JSON on standard output.
"""

from bridge import answer, open_document, option

LIBRARY = "PanelcalAddin"


def run(job, desktop):
    """Do what the job says, step by step, and return one answer for each step."""
    options = option("MacroExecutionMode", 4), option("FilterName", "Calc MS Excel 2007 VBA XML")
    document = open_document(desktop, job["file"], *options)
    scripts = document.getScriptProvider()
    sheet = document.Sheets.getByIndex(0)

    def call(name, arguments=()):
        where = f"vnd.sun.star.script:{LIBRARY}.{name}?language=Basic&location=document"
        try:
            return scripts.getScript(where).invoke(tuple(arguments), (), ())[0]
        except Exception as error:
            return f"failed: {error}"

    answers = []
    try:
        for step in job["steps"]:
            if "call" in step:
                answers.append(call(step["call"], step.get("arguments", ())))
            else:
                cell = sheet.getCellRangeByName(step["cell"])
                cell.setFormula(step["formula"])
                answers.append([cell.String, cell.getError()])
        return answers
    finally:
        document.close(True)


answer(run)
