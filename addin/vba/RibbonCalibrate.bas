Attribute VB_Name = "RibbonCalibrate"
Option Explicit
' What the buttons of the tab "Calibrate" do. Each one is a number to Python, which does the work and finds the words.

Private Const TITLE As String = "Calibrate"
Private Const NO_WORKBOOK As String = "No workbook is in front: start or choose one (and click Enable Editing if Excel shows that), then click again."

Public Sub PanelcalCalibrate(control As IRibbonControl)
    PressButton 1
End Sub

Public Sub PanelcalCheck(control As IRibbonControl)
    PressButton 2
End Sub

Public Sub PanelcalExplain(control As IRibbonControl)
    PressButton 3
End Sub

Public Sub PanelcalSettings(control As IRibbonControl)
    PressButton 4
End Sub

Public Sub PanelcalRemoveResults(control As IRibbonControl)
    PressButton 5
End Sub

Public Sub PanelcalHelp(control As IRibbonControl)
    PressButton 6
End Sub

' The tag of each entry of the menu is its number.
Public Sub PanelcalNewFromTemplate(control As IRibbonControl)
    PressButton Val(control.Tag)
End Sub

' On a Mac the script calls this when Python is done, however that went.
Public Sub PanelcalFinished()
    Dim link As New PythonLink, reason As String
    If Not CalledByRibbon() Then Exit Sub
    Application.StatusBar = False
    Application.ScreenUpdating = True
    reason = link.LastWords()
    If reason <> "" Then ShowProblem reason
End Sub

Private Sub PressButton(ByVal number As Long)
    Dim link As New PythonLink, reason As String
    If Not CalledByRibbon() Then Exit Sub
    If ActiveWorkbook Is Nothing Then
        MsgBox NO_WORKBOOK, vbInformation, TITLE
        Exit Sub
    End If
    #If Mac Then
        reason = link.Press(number)
    #Else
        Dim updating As Boolean, recalculation As Long, alerts As Boolean
        Static described As Boolean
        If Not described Then DescribeArguments
        described = True
        updating = Application.ScreenUpdating
        recalculation = Application.Calculation
        alerts = Application.DisplayAlerts
        On Error Resume Next
        Application.StatusBar = "Calibrate: starting ..."
        ' Else Excel asks for patience, with a button to press, when Python takes long.
        Application.DisplayAlerts = False
        reason = link.Press(number)
        If Err.Number <> 0 Then reason = Err.Description
        Application.DisplayAlerts = alerts
        ' Python does this too; here it is done even if Python was stopped on its way.
        If Application.Calculation <> recalculation Then Application.Calculation = recalculation
        Application.ScreenUpdating = updating
        On Error GoTo 0
    #End If
    If reason <> "" Then
        Application.StatusBar = False
        ShowProblem reason
    End If
End Sub

' A shape on a sheet, a cell or a sheet's own button names itself as the caller; the ribbon and the script name nobody.
Private Function CalledByRibbon() As Boolean
    Select Case TypeName(Application.Caller)
        Case "Error", "Empty", "Null"
            CalledByRibbon = True
    End Select
End Function

Private Sub ShowProblem(ByVal message As String)
    MsgBox "Calibrate stopped: " & LastLine(message) & vbCrLf & vbCrLf & _
           "In a terminal, ""panelcal doctor"" says what to do (see Troubleshooting).", vbExclamation, TITLE
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
