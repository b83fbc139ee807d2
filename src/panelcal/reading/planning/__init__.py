"""Sheets of lists to plan from: who is to be assessed, who assesses, who must not meet."""
