Attribute VB_Name = "RibbonCalibrate"
Option Explicit
' What the buttons of the tab "Calibrate" do. Each one starts Python, which does the work and finds the words for it.

Private Const TITLE As String = "Calibrate"
Private Const OPEN_FIRST As String = "Open a workbook first (and click Enable Editing if Excel shows it as protected), then click again."
Private Const RENAME_FIRST As String = "Save the workbook under a name without the signs $ ` "" \ and | first, then click again."

Public Sub OnCalibrate(control As IRibbonControl)
    CallButton "calibrate()"
End Sub

Public Sub OnCheck(control As IRibbonControl)
    CallButton "check()"
End Sub

Public Sub OnNewFromTemplate(control As IRibbonControl)
    CallButton "new_from_template('" & control.Tag & "')"
End Sub

Public Sub OnExplain(control As IRibbonControl)
    CallButton "explain()"
End Sub

Public Sub OnSettings(control As IRibbonControl)
    CallButton "settings()"
End Sub

Public Sub OnRemoveResults(control As IRibbonControl)
    CallButton "remove_results()"
End Sub

Public Sub OnHelp(control As IRibbonControl)
    CallButton "help()"
End Sub

' Shows the last line of what Python left behind when it stopped before it could speak for itself.
Public Sub ShowProblem(ByVal message As String)
    MsgBox "Calibrate stopped: " & LastLine(message) & vbCrLf & vbCrLf & _
           "The command ""panelcal doctor"" says what to do (see Troubleshooting).", vbExclamation, TITLE
End Sub

Private Sub CallButton(ByVal button As String)
    If ActiveWorkbook Is Nothing Then
        MsgBox OPEN_FIRST, vbInformation, TITLE
        Exit Sub
    End If
    #If Mac Then
        ' Python is started through a shell, to which these signs in a file name would mean something, and works on after
        ' this has returned: it puts everything back by itself.
        If ActiveWorkbook.Name Like "*[$`""\|]*" Then
            MsgBox RENAME_FIRST, vbInformation, TITLE
            Exit Sub
        End If
        On Error GoTo failed
        RunPython "from panelcal.excel import buttons; buttons." & button
        Exit Sub
failed:
        ShowProblem Err.Description
    #Else
        Dim updating As Boolean, recalculation As Long, reason As String
        Static described As Boolean
        If Not described Then DescribeArguments
        described = True
        updating = Application.ScreenUpdating
        recalculation = Application.Calculation
        On Error Resume Next
        RunPython "from panelcal.excel import buttons; buttons." & button
        If Err.Number <> 0 Then reason = Err.Description
        ' Python does this too; here it is done even if Python was stopped on its way.
        If Application.Calculation <> recalculation Then Application.Calculation = recalculation
        Application.ScreenUpdating = updating
        Application.StatusBar = False
        On Error GoTo 0
        If reason <> "" Then ShowProblem reason
    #End If
End Sub

Private Function LastLine(ByVal message As String) As String
    Dim parts As Variant, k As Long
    LastLine = "no reason was given"
    parts = Split(Replace(message, vbCr, vbLf), vbLf)
    For k = UBound(parts) To LBound(parts) Step -1
        If Trim(parts(k)) <> "" Then
            LastLine = Trim(parts(k))
            Exit Function
        End If
    Next k
End Function
