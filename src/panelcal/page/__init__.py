"""The page for a browser: panelcal in one HTML file that opens with a double click, built by `panelcal page`."""
