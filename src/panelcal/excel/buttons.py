"""The buttons of the ribbon. Each is called by its number, see `clicks`, and speaks to the user in sentences.

Each imports what it needs when it is pressed, so that Help does not wait for what Calibrate computes with.
"""

from __future__ import annotations

from panelcal.errors import InputRefused
from panelcal.excel.session import Click, button, selected_cells
from panelcal.version import __version__


@button
def calibrate(click: Click) -> None:
    """Calibrate the sheet in front (or the block selected on it) and write the results to new sheets."""
    from panelcal.excel.calibrate_sheet import calibrate_sheet

    calibrate_sheet(click)


@button
def check(click: Click) -> None:
    """Say what would be read, without calibrating or writing anything."""
    from panelcal.excel.calibrate_sheet import check_sheet

    check_sheet(click)


@button
def new_from_template(click: Click, name: str) -> None:
    """Open a copy of a ready-made workbook."""
    from panelcal.excel.new_template import copy_template

    books = click.book.app.books
    copy = copy_template(name, [book.name for book in books])
    books.open(str(copy))
    click.stay_here()
    click.say(f"This is your own copy, saved as {copy}. Begin with the sheet Start here.")


@button
def explain(click: Click) -> None:
    """Show why the value of the object in the selected row is what it is."""
    from panelcal.excel.explain_value import why_at
    from panelcal.excel.ownership import own_sheets

    cell = selected_cells(click.book.app)
    if cell is None:
        raise InputRefused("Select a cell in the row you want to have explained, then click again.")
    click.say(why_at(cell.sheet.range((cell.row, cell.column)), own_sheets(click.book)))


@button
def settings(click: Click) -> None:
    """Bring the sheet Settings to the front; add it with every default where there is none."""
    from panelcal.excel.settings_sheet import show_settings

    show_settings(click)


@button
def earlier_biases(click: Click) -> None:
    """Put the biases of an earlier result that is open beside this workbook on a new sheet Prior."""
    from panelcal.excel.earlier_biases import bring_earlier_biases

    bring_earlier_biases(click)


@button
def remove_results(click: Click) -> None:
    """Remove the sheets that panelcal made, and no others, after asking."""
    from panelcal.excel.ownership import own_sheets, remove_own_sheets
    from panelcal.excel.read_sheet import is_visible
    from panelcal.reporting.wording import counted, some_of

    book = click.book
    ours = own_sheets(book)
    if not ours:
        raise InputRefused("There are no result sheets in this workbook that panelcal made.")
    if not any(is_visible(sheet) and sheet.name not in ours for sheet in book.sheets):
        raise InputRefused("A workbook must keep a visible sheet: add an empty one, then click again.")
    if click.ask(f"Remove {counted(len(ours), 'result sheet')} ({some_of(ours)})? This cannot be undone."):
        click.progress("removing results")
        remove_own_sheets(book)


@button
def help(click: Click) -> None:
    """Say what the buttons do and where to begin."""
    click.say(
        f"panelcal {__version__}\n\n"
        "Put the scores on a sheet: ids in the first column, names of the assessors above, numbers below them (or a "
        "list with columns such as Student, Module and Mark).\n\n"
        "Calibrate writes the results to new sheets and leaves yours as they are; begin with Cal summary.\n"
        "Check data says what would be read and what to correct first.\n"
        "New from template opens a workbook to fill in, or a filled example.\n"
        "Explain this value says in words why one value moved; select a cell in its row before.\n"
        "Settings has classes, codes and everything else that can be chosen.\n"
        "Earlier biases puts the biases of an earlier result, open beside this workbook, on a sheet Prior.\n"
        "Remove results removes the sheets that Calibrate made.\n\n"
        "Nothing leaves this computer."
    )
