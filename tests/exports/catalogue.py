"""Every layout by name: the table that the tests and the scoreboard walk through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from exports import conferences, forms, gradebooks, judged
from exports.export_file import Export

VARIANTS = 3

LAYOUTS: Mapping[str, Callable[[int, Path], Export]] = {
    "easychair": conferences.easychair,
    "hotcrp": conferences.hotcrp,
    "cmt_reviews": conferences.cmt_reviews,
    "cmt_slots": conferences.cmt_slots,
    "openreview": conferences.openreview,
    "submittable": conferences.submittable,
    "reviewer_lists": conferences.reviewer_lists,
    "criteria": conferences.criteria,
    "moodle": gradebooks.moodle,
    "canvas": gradebooks.canvas,
    "blackboard": gradebooks.blackboard,
    "student_system": gradebooks.student_system,
    "german": gradebooks.german,
    "french": gradebooks.french,
    "stray_numbers": gradebooks.stray_numbers,
    "mixed_scales": gradebooks.mixed_scales,
    "google_forms": forms.google_forms,
    "microsoft_forms": forms.microsoft_forms,
    "tabbycat": forms.tabbycat,
    "sheet_per_judge": forms.sheet_per_judge,
    "file_per_judge": forms.file_per_judge,
    "opendocument": forms.opendocument,
    "paired_columns": judged.paired_columns,
    "gymnastics": judged.gymnastics,
    "across": judged.across,
    "grades": judged.grades,
    "double_marking": judged.double_marking,
}


def all_files() -> list[tuple[str, int]]:
    """Every file as (name of its layout, variant)."""
    return [(name, variant) for name in LAYOUTS for variant in range(VARIANTS)]


def make(name: str, variant: int, folder: Path) -> Export:
    """Write one file and return what it says."""
    return LAYOUTS[name](variant, folder)
