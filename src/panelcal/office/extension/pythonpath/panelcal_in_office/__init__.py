"""The part of panelcal that runs inside LibreOffice, in the office's own Python."""
