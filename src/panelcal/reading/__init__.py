"""What cells mean: from grids of cells to a `Panel`, with every decision on record. Knows no spreadsheet program."""
