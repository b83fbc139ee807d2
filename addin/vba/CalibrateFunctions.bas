Attribute VB_Name = "CalibrateFunctions"
Option Explicit
' The functions for cells, not on a Mac. Each hands its ranges to panelcal.excel.functions and spills what comes back;
' CALIBRATE_WHY says in words why another one shows an error.

Private Const FUNCTIONS_MODULE As String = "panelcal.excel.functions"
Private Const HELP_SCORES As String = "The scores: a row for each object, a column for each assessor, with or without names; or a list with headings such as Student, Module and Mark. Blank cells are no scores."
Private Const HELP_CONFIDENCE As String = "How far each score can be trusted, as numbers or words: as many cells as scores, one row for the columns, one column for the rows, or a single cell. May be left out."
Private Const HELP_HEADERS As String = "TRUE if the first row and column of scores hold names, FALSE if neither, ""top"" or ""left"" if one of them does. May be left out: then it is seen from the cells."
Private Const HELP_GAUGE As String = "Where the zero of the biases lies: ""weighted"" (the default), ""equal"", or a number to hold as the mean. May be left out."
Private Const HELP_RATINGS As String = "The ratings of one feature, such as 1 to 5: a row for each object, a column for each judge, with or without names. Blank cells are not rated."
Private Const HELP_STATED As String = "A word (high, medium, low), a range (60-70), ""65 +/- 5"" or a standard deviation, or a range of cells with such."
Private Const HELP_SCORE As String = "The new score of the agent, or a range of them. Blank cells stay blank."
Private Const HELP_ANCHOR_SCORES As String = "What the same agent gave to each anchor, as a column or a row, with or without a heading."
Private Const HELP_CONSENSUS As String = "The known value of each anchor from 0 to 100, as many cells and in the same order."
Private Const HELP_KIND As String = """spline"", ""isotonic"", ""linear"", ""min-max"" or ""mean-sd"". May be left out: spline, or linear below 20 anchors."

Public Function CALIBRATE(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant) As Variant
Attribute CALIBRATE.VB_Description = "Calibrated values with their errors, a row for each object. scores: a row for each object, a column for each assessor. confidence: same shape, or one for each assessor. headers: TRUE or FALSE. gauge: weighted, equal or a reference value."
Attribute CALIBRATE.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE = AskPython("calibrate", Array(scores, confidence, headers, gauge))
End Function

Public Function CALIBRATE_BIAS(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant) As Variant
Attribute CALIBRATE_BIAS.VB_Description = "Bias of each assessor with its error: above zero means generous. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_BIAS.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_BIAS = AskPython("calibrate_bias", Array(scores, confidence, headers, gauge))
End Function

Public Function CALIBRATE_FIT(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant) As Variant
Attribute CALIBRATE_FIT.VB_Description = "How well the panel hangs together and agrees: w, R, N, mu_2 and more, with names. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_FIT.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_FIT = AskPython("calibrate_fit", Array(scores, confidence, headers, gauge))
End Function

Public Function CALIBRATE_BOUND(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant) As Variant
Attribute CALIBRATE_BOUND.VB_Description = "The most that each calibrated value can move when scores change by a given amount. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_BOUND.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_BOUND = AskPython("calibrate_bound", Array(scores, confidence, headers, gauge))
End Function

Public Function CALIBRATE_COMPARE(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant) As Variant
Attribute CALIBRATE_COMPARE.VB_Description = "Each object by four methods side by side: simple average, weighted average, Fisher's method, calibration with confidence. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_COMPARE.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_COMPARE = AskPython("calibrate_compare", Array(scores, confidence, headers, gauge))
End Function

Public Function CALIBRATE_CONFIDENCE(stated As Variant) As Variant
Attribute CALIBRATE_CONFIDENCE.VB_Description = "Confidence as a number, from a word (high, medium, low) or from a standard deviation. stated: a cell or a range of them."
Attribute CALIBRATE_CONFIDENCE.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_CONFIDENCE = AskPython("calibrate_confidence", Array(stated))
End Function

Public Function CALIBRATE_ANCHORED(score As Variant, anchor_scores As Variant, consensus As Variant, Optional kind As Variant) As Variant
Attribute CALIBRATE_ANCHORED.VB_Description = "Scores of one agent on the scale of anchors whose consensus is known, 0 to 100. score: a cell or a range. anchor_scores, consensus: as many cells of each. kind: spline, isotonic, linear, min-max or mean-sd."
Attribute CALIBRATE_ANCHORED.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_ANCHORED = AskPython("calibrate_anchored", Array(score, anchor_scores, consensus, kind))
End Function

Public Function CALIBRATE_ORDINAL(ratings As Variant, Optional headers As Variant) As Variant
Attribute CALIBRATE_ORDINAL.VB_Description = "Quick, approximate ranking from ratings in at most 11 levels, each judge's use of the scale taken into account. ratings: a row for each object, a column for each judge. For the exact one click Calibrate with the method ordinal."
Attribute CALIBRATE_ORDINAL.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_ORDINAL = AskPython("calibrate_ordinal", Array(ratings, headers))
End Function

Public Function CALIBRATE_WHY(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant) As Variant
Attribute CALIBRATE_WHY.VB_Description = "In one sentence, why CALIBRATE shows an error for these ranges, or that all is well. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_WHY.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_WHY = AskPython("calibrate_why", Array(scores, confidence, headers, gauge))
End Function

' Gives the boxes of Insert Function their words. Excel takes them from running code only and forgets them when it quits.
Public Sub DescribeArguments()
    Dim name As Variant
    On Error Resume Next
    For Each name In Array("CALIBRATE", "CALIBRATE_BIAS", "CALIBRATE_FIT", "CALIBRATE_BOUND", "CALIBRATE_COMPARE", "CALIBRATE_WHY")
        Application.MacroOptions Macro:=name, ArgumentDescriptions:=Array(HELP_SCORES, HELP_CONFIDENCE, HELP_HEADERS, HELP_GAUGE)
    Next name
    Application.MacroOptions Macro:="CALIBRATE_ORDINAL", ArgumentDescriptions:=Array(HELP_RATINGS, HELP_HEADERS)
    Application.MacroOptions Macro:="CALIBRATE_CONFIDENCE", ArgumentDescriptions:=Array(HELP_STATED)
    Application.MacroOptions Macro:="CALIBRATE_ANCHORED", ArgumentDescriptions:=Array(HELP_SCORE, HELP_ANCHOR_SCORES, HELP_CONSENSUS, HELP_KIND)
    ThisWorkbook.Saved = True
End Sub

Private Function AskPython(ByVal functionName As String, ByVal arguments As Variant) As Variant
    #If Mac Then
        AskPython = CVErr(xlErrNA)
    #Else
        Dim link As New PythonLink
        ' Insert Function asks for a value at every letter that is typed there, and Python would answer late.
        If InsertFunctionIsOpen() Then Exit Function
        On Error GoTo failed
        EndWithSheets arguments
        ' No workbook is handed over: xlwings would search it for sheets with Python code.
        AskPython = link.Server().CallUDF(FUNCTIONS_MODULE, functionName, arguments, Nothing, Application.Caller)
        Exit Function
failed:
        AskPython = CVErr(xlErrValue)
    #End If
End Function

Private Function InsertFunctionIsOpen() As Boolean
    On Error Resume Next
    InsertFunctionIsOpen = Not Application.CommandBars("Standard").Controls(1).Enabled
End Function

' Lets whole columns and rows end at the last used cell, all of them at the same one, so that a million blank cells need
' not be read. A range of several areas is an error: only its first area would be read.
Private Sub EndWithSheets(arguments As Variant)
    Dim k As Long, lastRow As Long, lastColumn As Long, used As Object
    For k = LBound(arguments) To UBound(arguments)
        If TypeName(arguments(k)) = "Range" Then
            If arguments(k).Areas.Count > 1 Then Err.Raise 5
            Set used = arguments(k).Worksheet.UsedRange
            If ToLastRow(arguments(k)) Then lastRow = Larger(lastRow, used.Row + used.Rows.Count - 1)
            If ToLastColumn(arguments(k)) Then lastColumn = Larger(lastColumn, used.Column + used.Columns.Count - 1)
        End If
    Next k
    For k = LBound(arguments) To UBound(arguments)
        If TypeName(arguments(k)) = "Range" Then
            If ToLastRow(arguments(k)) Then
                Set arguments(k) = arguments(k).Resize(Larger(1, lastRow - arguments(k).Row + 1), arguments(k).Columns.Count)
            End If
            If ToLastColumn(arguments(k)) Then
                Set arguments(k) = arguments(k).Resize(arguments(k).Rows.Count, Larger(1, lastColumn - arguments(k).Column + 1))
            End If
        End If
    Next k
End Sub

Private Function ToLastRow(area As Variant) As Boolean
    ToLastRow = (area.Row + area.Rows.Count - 1 = area.Worksheet.Rows.Count)
End Function

Private Function ToLastColumn(area As Variant) As Boolean
    ToLastColumn = (area.Column + area.Columns.Count - 1 = area.Worksheet.Columns.Count)
End Function

Private Function Larger(ByVal one As Long, ByVal other As Long) As Long
    Larger = IIf(one > other, one, other)
End Function
