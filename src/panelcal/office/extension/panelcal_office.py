"""What LibreOffice loads: the buttons and the cell functions of panelcal.

It runs in the Python that LibreOffice brings (3.8 or later), which has none of panelcal's libraries. All that computes
is in a helper process; see `panelcal_in_office.helper_process`.
"""

from __future__ import annotations

import unohelper
from com.sun.star.lang import XServiceInfo
from com.sun.star.task import XJobExecutor
from panelcal_in_office import buttons, helper_process

try:
    from org.panelcal.office import XFunctions
except ImportError:  # while it is added for everyone: the types beside this file are known from the next start on

    class XFunctions:
        """Stands in while LibreOffice only asks what is here."""


FUNCTIONS = "org.panelcal.office.Functions"
BUTTONS = "org.panelcal.office.Buttons"


class Functions(unohelper.Base, XFunctions, XServiceInfo):
    """The functions for cells; their names and arguments are those of the type library beside this file."""

    def __init__(self, context):
        """Take the context of the office."""

    def calibrate(self, *arguments):
        """CALIBRATE."""
        return helper_process.computed("CALIBRATE", arguments)

    def calibrateBias(self, *arguments):  # noqa: N802 - the type library knows no underscores
        """CALIBRATE_BIAS."""
        return helper_process.computed("CALIBRATE_BIAS", arguments)

    def calibrateFit(self, *arguments):  # noqa: N802
        """CALIBRATE_FIT."""
        return helper_process.computed("CALIBRATE_FIT", arguments)

    def calibrateBound(self, *arguments):  # noqa: N802
        """CALIBRATE_BOUND."""
        return helper_process.computed("CALIBRATE_BOUND", arguments)

    def calibrateCompare(self, *arguments):  # noqa: N802
        """CALIBRATE_COMPARE."""
        return helper_process.computed("CALIBRATE_COMPARE", arguments)

    def calibrateConfidence(self, *arguments):  # noqa: N802
        """CALIBRATE_CONFIDENCE."""
        return helper_process.computed("CALIBRATE_CONFIDENCE", arguments)

    def calibrateAnchored(self, *arguments):  # noqa: N802
        """CALIBRATE_ANCHORED."""
        return helper_process.computed("CALIBRATE_ANCHORED", arguments)

    def calibrateOrdinal(self, *arguments):  # noqa: N802
        """CALIBRATE_ORDINAL."""
        return helper_process.computed("CALIBRATE_ORDINAL", arguments)

    def calibrateWhy(self, *arguments):  # noqa: N802
        """CALIBRATE_WHY."""
        return helper_process.computed("CALIBRATE_WHY", arguments)

    def getImplementationName(self):  # noqa: N802
        """Name this."""
        return FUNCTIONS

    def supportsService(self, name):  # noqa: N802
        """Tell what this can do."""
        return name in self.getSupportedServiceNames()

    def getSupportedServiceNames(self):  # noqa: N802
        """Tell what this can do."""
        return ("com.sun.star.sheet.AddIn", FUNCTIONS)


class Buttons(unohelper.Base, XJobExecutor, XServiceInfo):
    """The menu and the toolbar."""

    def __init__(self, context):
        """Take the context of the office."""
        self._context = context

    def trigger(self, action):
        """Do what a button stands for: one of a fixed list, never text that becomes code."""
        buttons.press(self._context, action)

    def getImplementationName(self):  # noqa: N802
        """Name this."""
        return BUTTONS

    def supportsService(self, name):  # noqa: N802
        """Tell what this can do."""
        return name == BUTTONS

    def getSupportedServiceNames(self):  # noqa: N802
        """Tell what this can do."""
        return (BUTTONS,)


g_ImplementationHelper = unohelper.ImplementationHelper()  # noqa: N816 - LibreOffice looks for this name
g_ImplementationHelper.addImplementation(Functions, FUNCTIONS, ("com.sun.star.sheet.AddIn", FUNCTIONS))
g_ImplementationHelper.addImplementation(Buttons, BUTTONS, (BUTTONS,))
