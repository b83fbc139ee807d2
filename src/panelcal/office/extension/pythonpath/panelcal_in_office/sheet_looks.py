"""What importing a sheet leaves behind, set again: what is printed and how, names of charts' series, its window."""

from __future__ import annotations

from com.sun.star.beans.PropertyAttribute import READONLY

from panelcal_in_office.document import not_recorded

FORMULAS = 16  # com.sun.star.sheet.CellFlags.FORMULA

_CONTENTS = ("RightPageHeaderContent", "RightPageFooterContent")
_NOT_COPIED = ("DisplayName", "IsPhysical")
_PARTS = ("LeftText", "CenterText", "RightText")


def copy_page_style(document, style, styles):
    """Give the document a page style like one of another document: paper, margins, scale, header and footer."""
    name = style.getName()
    if not styles.hasByName(name):
        styles.insertByName(name, document.createInstance("com.sun.star.style.PageStyle"))
    copy = styles.getByName(name)
    for each in style.getPropertySetInfo().getProperties():
        if each.Attributes & READONLY or each.Name in _NOT_COPIED or each.Name.endswith("Content"):
            continue
        value = style.getPropertyValue(each.Name)
        if value is not None and value != copy.getPropertyValue(each.Name):
            copy.setPropertyValue(each.Name, value)
    for content in _CONTENTS:
        source = style.getPropertyValue(content)
        if source is not None:
            target = copy.getPropertyValue(content)
            for part in _PARTS:
                _copy_text(document, getattr(source, part), getattr(target, part))
            copy.setPropertyValue(content, target)


def _copy_text(document, source, target):
    """Copy a part of a header or footer with its fields, such as the number of the page."""
    target.setString("")
    for paragraph in _all(source):
        for portion in _all(paragraph):
            end = target.createTextCursor()
            end.gotoEnd(False)
            if portion.TextPortionType == "TextField":
                kind = next(name for name in portion.TextField.getSupportedServiceNames() if ".TextField." in name)
                target.insertTextContent(end, document.createInstance(kind), False)
            else:
                target.insertString(end, portion.getString(), False)


def _all(holder):
    items = holder.createEnumeration()
    while items.hasMoreElements():
        yield items.nextElement()


def printed_cells(sheet):
    """Return the print areas of a sheet, and the rows on top of every page or None."""
    return sheet.getPrintAreas(), sheet.getTitleRows() if sheet.getPrintTitleRows() else None


def print_only(document, name, areas, titles):
    """Print these areas of a sheet, with these rows on top of every page."""
    sheet = document.Sheets.getByName(name)
    number = sheet.getRangeAddress().Sheet
    for area in areas:
        area.Sheet = number
    with not_recorded(document):
        sheet.setPrintAreas(areas)
    if titles is not None:
        titles.Sheet = number
        with not_recorded(document):
            sheet.setTitleRows(titles)
        with not_recorded(document):
            sheet.setPrintTitleRows(True)


def formula_blocks(sheet):
    """Return (name of the sheet, place, formulas) of each block of formulas."""
    found = []
    for block in sheet.queryContentCells(FORMULAS).getRangeAddresses():
        place = block.StartColumn, block.StartRow, block.EndColumn, block.EndRow
        found.append((sheet.getName(), place, sheet.getCellRangeByPosition(*place).getFormulaArray()))
    return found


def set_formulas(document, name, place, formulas):
    """Write a block of formulas, where others are."""
    block = document.Sheets.getByName(name).getCellRangeByPosition(*place)
    if block.getFormulaArray() != formulas:
        with not_recorded(document):
            block.setFormulaArray(formulas)


def formula_row_heights(sheet):
    """Return (first row, last row, height) of the rows with formulas, whose heights Calc chooses anew with these."""
    blocks = sheet.queryContentCells(FORMULAS).getRangeAddresses()
    numbers = sorted({row for block in blocks for row in range(block.StartRow, block.EndRow + 1)})
    found = []
    for number in numbers:
        height = sheet.Rows.getByIndex(number).Height
        if found and found[-1][1] == number - 1 and found[-1][2] == height:
            found[-1] = (found[-1][0], number, height)
        else:
            found.append((number, number, height))
    return found


def set_row_heights(document, name, heights):
    """Give rows of a sheet their heights."""
    sheet = document.Sheets.getByName(name)
    for first, last, height in heights:
        with not_recorded(document):
            sheet.getCellRangeByPosition(0, first, 0, last).Rows.Height = height


def copy_chart_sources(document, source, target):
    """Have a sheet's charts read the same cells as those it was made from, and give their series their names again.

    On its way between documents a chart that shows another sheet's cells is given a table of its own by Calc, which
    would stay as it is whatever becomes of these cells.
    """
    for number in range(source.Charts.getCount()):  # names are given anew where the document has them already
        old, new = (sheet.Charts.getByIndex(number).getEmbeddedObject() for sheet in (source, target))
        if new.hasInternalDataProvider() and not old.hasInternalDataProvider():
            provider = document.createInstance("com.sun.star.chart2.data.DataProvider")
            new.attachDataProvider(provider)
            for one, other in zip(_holders(old), _holders(new)):
                _read_again(provider, one, other)
        labels = {_range(one): one.getLabel() for one in _sequences(old)}
        for one in _sequences(new):
            label = labels.get(_range(one))
            if label is not None and one.getLabel() is None:
                words = label.getSourceRangeRepresentation()
                again = new.getDataProvider().createDataSequenceByRangeRepresentation(words)
                again.Role = "label"
                one.setLabel(again)


def _series(chart):
    for system in chart.getFirstDiagram().getCoordinateSystems():
        for kind in system.getChartTypes():
            yield from kind.getDataSeries()


def _sequences(chart):
    for series in _series(chart):
        yield from series.getDataSequences()


def _holders(chart):
    """Walk through all that a chart takes from cells: lists of sequences of its series, their error bars, its axis."""
    for series in _series(chart):
        yield series.getDataSequences()
        for bars in (series.ErrorBarX, series.ErrorBarY):
            if bars is not None:
                yield bars.getDataSequences()
    for system in chart.getFirstDiagram().getCoordinateSystems():
        categories = system.getAxisByDimension(0, 0).getScaleData().Categories
        if categories is not None:
            yield (categories,)


def _read_again(provider, old, new):
    """Let sequences take their values and names from where the old ones, of the same roles, have them."""
    by_role = {one.getValues().Role: one for one in old}
    for one in new:
        role = one.getValues().Role
        if role in by_role:
            places = ((by_role[role].getValues(), one.setValues), (by_role[role].getLabel(), one.setLabel))
            for place, take in places:
                if place is not None:
                    again = provider.createDataSequenceByRangeRepresentation(place.getSourceRangeRepresentation())
                    again.Role = place.Role
                    take(again)


def _range(sequence):
    return sequence.getValues().getSourceRangeRepresentation()


def window_of(controller, sheet):
    """Show a sheet, and return how: (whether with a grid, frozen columns and rows or None)."""
    controller.setActiveSheet(sheet)
    frozen = (controller.getSplitColumn(), controller.getSplitRow()) if controller.hasFrozenPanes() else None
    return controller.ShowGrid, frozen


def set_window(controller, sheet, grid, frozen):
    """Show a sheet like this."""
    controller.setActiveSheet(sheet)
    controller.ShowGrid = grid
    if frozen is not None:
        controller.freezeAtPosition(*frozen)
