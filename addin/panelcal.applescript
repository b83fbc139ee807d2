-- Starts Python for the add-in Calibrate: the only program it starts, and only with the number of a button and the name
-- of a workbook, quoted so that no shell takes them for anything else. Excel runs this with AppleScriptTask.

property notes : "$HOME/Library/Application Support/panelcal/"

on startPython(asked)
	set pythonPath to do shell script "head -n 1 \"" & notes & "python.txt\" || true"
	try
		do shell script "test -x " & quoted form of pythonPath
	on error
		return "missing"
	end try
	set buttonNumber to quoted form of (text 1 thru 2 of asked)
	set workbookName to quoted form of (text 3 thru -1 of asked)
	set lastClick to "\"" & notes & "last-click.log\""
	set pythonWork to quoted form of pythonPath & " -P -B -m panelcal.excel.clicks " & buttonNumber & " " & workbookName
	set tellExcel to "/usr/bin/osascript -e 'tell application \"Microsoft Excel\" to run VB macro \"panelcal.xlam!RibbonCalibrate.PanelcalFinished\"'"
	do shell script "{ if " & pythonWork & " 2> " & lastClick & "; then rm -f " & lastClick & "; fi; " & tellExcel & "; } > /dev/null 2>&1 &"
	return "started"
end startPython

on lastWords(asked)
	return do shell script "tail -n 1 \"" & notes & "last-click.log\" 2> /dev/null || true"
end lastWords
