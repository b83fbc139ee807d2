"""What cells mean: from grids of cell values to a `Panel`, with every decision on record. Knows no spreadsheet program."""
