Attribute VB_Name = "CalibrateFunctions"
Option Explicit
' The functions for cells, not on a Mac. Each hands its ranges to panelcal.excel.functions and spills what comes back;
' CALIBRATE_WHY says in words why another one shows an error.

Private inner As New Workings

Public Function CALIBRATE(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant, Optional what As Variant) As Variant
Attribute CALIBRATE.VB_Description = "Calibrated values with their errors, a row for each object. scores: a row for each object, a column for each assessor. confidence: same shape, or one for each assessor. headers: TRUE or FALSE. gauge: weighted, equal or a number. what: one column only."
Attribute CALIBRATE.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE = inner.AskPython("calibrate", Array(scores, confidence, headers, gauge, what))
End Function

Public Function CALIBRATE_BIAS(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant, Optional what As Variant) As Variant
Attribute CALIBRATE_BIAS.VB_Description = "Bias of each assessor with its error: above zero means generous. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_BIAS.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_BIAS = inner.AskPython("calibrate_bias", Array(scores, confidence, headers, gauge, what))
End Function

Public Function CALIBRATE_FIT(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant, Optional what As Variant) As Variant
Attribute CALIBRATE_FIT.VB_Description = "How well the panel hangs together and agrees: w, R, N, mu_2 and more, with names. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_FIT.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_FIT = inner.AskPython("calibrate_fit", Array(scores, confidence, headers, gauge, what))
End Function

Public Function CALIBRATE_BOUND(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant, Optional what As Variant) As Variant
Attribute CALIBRATE_BOUND.VB_Description = "The most that each calibrated value can move when scores change by a given amount. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_BOUND.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_BOUND = inner.AskPython("calibrate_bound", Array(scores, confidence, headers, gauge, what))
End Function

Public Function CALIBRATE_COMPARE(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant, Optional what As Variant) As Variant
Attribute CALIBRATE_COMPARE.VB_Description = "Each object by four methods side by side: simple average, weighted average, Fisher's method, calibration with confidence. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_COMPARE.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_COMPARE = inner.AskPython("calibrate_compare", Array(scores, confidence, headers, gauge, what))
End Function

Public Function CALIBRATE_CONFIDENCE(stated As Variant) As Variant
Attribute CALIBRATE_CONFIDENCE.VB_Description = "Confidence as a number, from a word (high, medium, low) or from a standard deviation. stated: a cell or a range of them."
Attribute CALIBRATE_CONFIDENCE.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_CONFIDENCE = inner.AskPython("calibrate_confidence", Array(stated))
End Function

Public Function CALIBRATE_ANCHORED(score As Variant, anchor_scores As Variant, consensus As Variant, Optional kind As Variant) As Variant
Attribute CALIBRATE_ANCHORED.VB_Description = "Scores of one agent on the scale of anchors whose consensus is known, 0 to 100. score: a cell or a range. anchor_scores, consensus: as many cells of each. kind: spline, isotonic, linear, min-max or mean-sd."
Attribute CALIBRATE_ANCHORED.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_ANCHORED = inner.AskPython("calibrate_anchored", Array(score, anchor_scores, consensus, kind))
End Function

Public Function CALIBRATE_ORDINAL(ratings As Variant, Optional headers As Variant, Optional what As Variant) As Variant
Attribute CALIBRATE_ORDINAL.VB_Description = "Quick, approximate ranking from ratings in at most 11 levels, each judge's use of the scale taken into account. ratings: a row for each object, a column for each judge. For the exact one click Calibrate with the method ordinal."
Attribute CALIBRATE_ORDINAL.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_ORDINAL = inner.AskPython("calibrate_ordinal", Array(ratings, headers, what))
End Function

Public Function CALIBRATE_WHY(scores As Variant, Optional confidence As Variant, Optional headers As Variant, Optional gauge As Variant, Optional what As Variant) As Variant
Attribute CALIBRATE_WHY.VB_Description = "In one sentence, why CALIBRATE shows an error for these ranges, or that all is well. Takes the same ranges as CALIBRATE."
Attribute CALIBRATE_WHY.VB_ProcData.VB_Invoke_Func = " \n14"
    CALIBRATE_WHY = inner.AskPython("calibrate_why", Array(scores, confidence, headers, gauge, what))
End Function
