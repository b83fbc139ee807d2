"""Every layout by name: the table that the tests and the scoreboard walk through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from exports import (
    conferences,
    contests,
    forms,
    gradebooks,
    house_figures,
    judged,
    mark_systems,
    odd_shapes,
    office_sheets,
    reviewing,
    worked_out,
)
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
    "best_of": worked_out.best_of,
    "dropped": worked_out.dropped,
    "weighted_whole": worked_out.weighted_whole,
    "rounded_mean": worked_out.rounded_mean,
    "penalties": worked_out.penalties,
    "rows_of_statistics": worked_out.rows_of_statistics,
    "subtotals": worked_out.subtotals,
    "ranks_beside": worked_out.ranks_beside,
    "rankings": worked_out.rankings,
    "registers": worked_out.registers,
    "both_units": worked_out.both_units,
    "turned": odd_shapes.turned,
    "confidence_first": odd_shapes.confidence_first,
    "second_heading": odd_shapes.second_heading,
    "groups": odd_shapes.groups,
    "merged_names": odd_shapes.merged_names,
    "other_numbers": odd_shapes.other_numbers,
    "survey": odd_shapes.survey,
    "footnotes": odd_shapes.footnotes,
    "workers": odd_shapes.workers,
    "criteria_with_total": odd_shapes.criteria_with_total,
    "criteria_across": odd_shapes.criteria_across,
    "joined_scores": odd_shapes.joined_scores,
    "journals": reviewing.journals,
    "abstracts": reviewing.abstracts,
    "grants": reviewing.grants,
    "hiring": reviewing.hiring,
    "answered_forms": reviewing.answered_forms,
    "respondents": reviewing.respondents,
    "panels_of_seven": contests.panels_of_seven,
    "debates": contests.debates,
    "tastings": contests.tastings,
    "recitals": contests.recitals,
    "letters_beside": mark_systems.letters_beside,
    "more_canvas": mark_systems.more_canvas,
    "other_platforms": mark_systems.other_platforms,
    "boards": mark_systems.boards,
    "earlier_results": mark_systems.earlier_results,
    "credits_below": mark_systems.credits_below,
    "standardised": mark_systems.standardised,
    "pivots": office_sheets.pivots,
    "merged_down": office_sheets.merged_down,
    "filtered": office_sheets.filtered,
    "signs": office_sheets.signs,
    "absent_as_zero": office_sheets.absent_as_zero,
    "text_files": office_sheets.text_files,
    "same_names": office_sheets.same_names,
    "turned_square": office_sheets.turned_square,
    "several_sheets": office_sheets.several_sheets,
    "between_groups": office_sheets.between_groups,
    "two_headings": office_sheets.two_headings,
    "self_assessed": house_figures.self_assessed,
    "far_codes": house_figures.far_codes,
    "derived_figures": house_figures.derived_figures,
    "form_parts": house_figures.form_parts,
    "figures_below": house_figures.figures_below,
}


def all_files() -> list[tuple[str, int]]:
    """Every file as (name of its layout, variant)."""
    return [(name, variant) for name in LAYOUTS for variant in range(VARIANTS)]


def make(name: str, variant: int, folder: Path) -> Export:
    """Write one file and return what it says."""
    return LAYOUTS[name](variant, folder)
