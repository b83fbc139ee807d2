"""Excel through xlwings: the buttons, the cell functions, the add-in that carries them, and its installation."""

FAULT_FILE = "panelcal-fault.txt"
"""The report of a fault in the program, in the system's folder for temporary files."""
