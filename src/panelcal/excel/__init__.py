"""Excel through xlwings: the buttons, the cell functions, the add-in that carries them, and its installation."""
