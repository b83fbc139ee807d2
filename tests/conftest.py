"""Makes the modules beside the tests importable (reference_cases, panels)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
