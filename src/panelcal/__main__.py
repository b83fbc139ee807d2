"""`python -m panelcal`."""

from panelcal.cli import main

main()
