"""Ready-to-fill workbooks and filled examples as data: the writer of results writes them (`files.build_templates`)."""
