"""Workbooks on disk, through openpyxl: load a grid, write a Report, build the templates."""
