"""Who should assess what: balanced and linked assignments, what more assessors would buy, which assessments to add."""
