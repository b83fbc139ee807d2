"""Tables too long for a sheet: the same calibration, its sums left to a database engine.

The reduced equations (15) are a sum over objects, so an engine can add them up, out of core, and what comes back is as
small as the number of assessors. DuckDB is the engine at hand; the same statements run on Spark.
"""
