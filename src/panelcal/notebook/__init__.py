"""What a person who programs sees of a result: plain tables, data frames, HTML and charts. Loaded when asked for.

Nothing here computes; figures come from the functions that everybody calls.
"""
