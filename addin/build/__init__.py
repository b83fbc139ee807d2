"""Makes the one `panelcal.xlam` of a release from the texts in `addin/`, while the wheel is built.

It needs Python's standard library only, and the same texts give the same bytes wherever and whenever it runs.
"""
