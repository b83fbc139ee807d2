"""LibreOffice: an extension with the buttons and functions, and the helper process that it talks to over a pipe."""
