Attribute VB_Name = "CalibrateFunctions"
Option Explicit
' The functions for cells, on Windows. Each hands its ranges to panelcal.excel.functions and spills what comes back;
' CALIBRATE_WHY says in words why another one shows an error.

Private Const FUNCTIONS_MODULE As String = "panelcal.excel.functions"

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

Public Function CALIBRATE_WHY(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant) As Variant
Attribute CALIBRATE_WHY.VB_Description = "In one sentence, why CALIBRATE shows an error for these ranges, or that all is well. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_WHY.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_WHY = AskPython("calibrate_why", Array(scores, confidence, headers, gauge))
End Function

Private Function AskPython(ByVal functionName As String, ByVal arguments As Variant) As Variant
    #If Mac Then
        AskPython = CVErr(xlErrNA)
    #Else
        On Error GoTo failed
        EndWithSheets arguments
        ' No workbook is handed over: xlwings would search it for sheets with Python code.
        AskPython = XLPy.CallUDF(FUNCTIONS_MODULE, functionName, arguments, Nothing, Application.Caller)
        Exit Function
failed:
        AskPython = CVErr(xlErrValue)
    #End If
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
