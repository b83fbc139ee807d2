"""Calibration with confidence and its neighbours, one module per idea: arrays in, a frozen result out."""
