"""The ready-made workbooks by name, in the order in which they are offered."""

TEMPLATE_NAMES = (
    "exam_board",
    "exam_board_example",
    "grant_panel",
    "grant_panel_example",
    "conference_prize",
    "conference_prize_example",
    "ai_reviewers",
    "ai_reviewers_example",
    "live_board",
    "live_board_example",
)
