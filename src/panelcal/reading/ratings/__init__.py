"""Sheets of ratings on few levels, of one or several features."""
