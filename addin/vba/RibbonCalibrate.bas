Attribute VB_Name = "RibbonCalibrate"
Option Explicit
' What the buttons of the tab "Calibrate" do. Each one is a number to Python, which does the work and finds the words.

Private Const TITLE As String = "Calibrate"
Private Const NO_WORKBOOK As String = "No workbook is in front: start or choose one (and click Enable Editing if Excel shows that), then click again."
' A shape, a cell or a sheet's own button names itself as the caller; the ribbon and the script name nobody.
Private Const NOBODY As String = "Error Empty Null"

' Every button of the tab; the tag of each is its number. Only a ribbon has a control of this kind to hand over: no cell,
' no shape and no link can make one.
Public Sub PanelcalPress(control As IRibbonControl)
    Dim link As New PythonLink, inner As New Workings, number As Long, reason As String
    If InStr(NOBODY, TypeName(Application.Caller)) = 0 Then Exit Sub
    If ActiveWorkbook Is Nothing Then
        MsgBox NO_WORKBOOK, vbInformation, TITLE
        Exit Sub
    End If
    number = Val(control.Tag)
    #If Mac Then
        reason = link.Press(number)
    #Else
        Dim updating As Boolean, recalculation As Long, alerts As Boolean
        Static described As Boolean
        If Not described Then inner.DescribeArguments
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
    If reason <> "" Then inner.ShowProblem reason
End Sub

' On a Mac the script calls this when Python is done, however that went.
Public Sub PanelcalFinished()
    Dim link As New PythonLink, inner As New Workings, reason As String
    If InStr(NOBODY, TypeName(Application.Caller)) = 0 Then Exit Sub
    Application.StatusBar = False
    Application.ScreenUpdating = True
    reason = link.LastWords()
    If reason <> "" Then inner.ShowProblem reason
End Sub
