"""Results as sheets-as-data: a `Report` of plain frozen dataclasses that every writer renders alike."""
