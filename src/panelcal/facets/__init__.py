"""Several criteria for each assessment: objects x assessors x criteria, s = v_ok + b_ak + noise."""
