"""The kinds of judging panels that have templates, as data."""

from __future__ import annotations

from types import MappingProxyType

from panelcal.reading.settings import DEFAULT_CODES, TOGETHER, Band, Settings
from panelcal.templates.judging import JudgingPanel
from panelcal.templates.made_up_judging import Drawing

_STARS = {4.0: "4*", 3.0: "3*", 2.0: "2*", 1.0: "1*", 0.0: "U"}
_RUBRIC = {"Content": 0.5, "Method": 0.25, "Presentation": 0.25}

JUDGING_PANELS: tuple[JudgingPanel, ...] = (
    JudgingPanel(
        name="job_panel",
        title="Job panel",
        sheet="Scores",
        settings=Settings(
            object_noun="Applicant",
            assessor_noun="Member",
            score_noun="Score",
            scale_low=0,
            scale_high=10,
            bands=(Band("Invite", 7.0), Band("Reserve", 6.0), Band("Decline", 0.0)),
            borderline_zone=0.3,
            alert_threshold=1.0,
            codes=MappingProxyType({**DEFAULT_CODES, "COI": "exclude"}),
        ),
        deciders="panel",
        purpose="Nobody reads every application, so an applicant may be left out for having met the strict members.",
        scores="A score is a number from 0 to 10, half points included. COI: the member knows the applicant. Leave "
        "the cell blank where the application went to others.",
        advice=(
            "Who reads what",
            "Give each application to three members or more, and mix them: two members can only be compared through "
            "applications that both read. panelcal plan FILE --per-object 3 proposes who reads what.",
        ),
        notice="Each of the 36 applications was read by three of eight members. Who they were decides some of the "
        "invitations: look at the cases on Cal summary.",
        drawing=Drawing(1935, ("A", 36), ("M", 8), 3, 6.2, 1.3, 0.9, 0.8, (0, 10, 0.5), code="COI", coded=2),
        across=True,
    ),
    JudgingPanel(
        name="promotion_panel",
        title="Promotion panel",
        sheet="Assessments",
        settings=Settings(
            object_noun="Case",
            assessor_noun="Referee",
            score_noun="Score",
            scale_low=1,
            scale_high=7,
            bands=(Band("Support", 5.0), Band("Discuss", 4.0), Band("Not yet", 1.0)),
            borderline_zone=0.3,
            alert_threshold=0.5,
            confidence_form="word",
        ),
        deciders="committee",
        purpose="Each case goes to a few referees, and some referees write seven where others write five.",
        scores="A score is a whole number from 1 to 7. n/a: the referee declined.",
        advice=(
            "Confidence",
            "Choose High for a referee of the same field, Medium for a neighbouring one, Low for any other. High "
            "counts four times as much as Medium, Medium four times as much as Low; Settings holds the ratio.",
        ),
        notice="With four referees a case the scores are thin: look at the intervals on Cal values before two cases "
        "are told apart by a few tenths.",
        drawing=Drawing(1971, ("C", 24), ("R", 9), 4, 4.6, 1.1, 0.8, 0.8, (1, 7, 1), with_confidence=True),
    ),
    JudgingPanel(
        name="star_panel",
        title="Research outputs with stars",
        sheet="Ratings",
        settings=Settings(
            object_noun="Output",
            assessor_noun="Reader",
            score_noun="Rating",
            scale_low=0,
            scale_high=4,
            bands=(
                Band("Four stars", 3.5),
                Band("Three stars", 2.5),
                Band("Two stars", 1.5),
                Band("One star", 0.5),
                Band("Unclassified", 0.0),
            ),
            borderline_zone=0.2,
            alert_threshold=0.5,
            grades=MappingProxyType({word: number for number, word in _STARS.items()}),
        ),
        deciders="sub-panel",
        purpose="An output is read by two or three, and a reader who seldom gives 4* costs a department money.",
        scores="A rating is one of 4*, 3*, 2*, 1* and U (unclassified); the table Grade on the sheet Settings says "
        "what number each counts as. n/a: a conflict of interest.",
        advice=(
            "Few levels",
            "A calibrated value lies between the stars, and classes begin half-way. Stars are coarse: with many "
            "readers who use them in ways of their own, compare the method ordinal as well.",
        ),
        notice="With three readers, many an output near a boundary could as well lie on the other side: see the "
        "chances on Cal values. The profile of the whole list is surer than the star of any one output.",
        drawing=Drawing(2021, ("O", 60), ("R", 10), 3, 2.7, 0.7, 0.4, 0.45, (0, 4, 1)),
        words=MappingProxyType(_STARS),
    ),
    JudgingPanel(
        name="music_competition",
        title="Music competition",
        sheet="Marks",
        settings=Settings(
            object_noun="Competitor",
            assessor_noun="Juror",
            score_noun="Mark",
            scale_low=1,
            scale_high=25,
            codes=MappingProxyType({**DEFAULT_CODES, "S": "exclude"}),
        ),
        deciders="jury",
        purpose="Jurors do not mark their own students, so competitors are marked by different juries. A jury "
        "without its strictest member is kinder.",
        scores="A mark is a whole number from 1 to 25. S: the juror's own student, not marked.",
        advice=(
            "Far from the rest",
            "Some juries cut a mark that is far from the others to a fixed distance. Cal residuals lists such marks "
            "with how unexpected each is; the method bisquare (Settings) gives them less weight. Decide on either "
            "before the round.",
        ),
        notice="Nearly everybody marks everybody, so calibrated and plain averages are close. They differ for those "
        "whom a strict or a generous juror did not mark.",
        drawing=Drawing(1927, ("P", 30), ("J", 12), 12, 19.0, 2.2, 1.2, 1.4, (1, 25, 1), code="S", coded=18),
        across=True,
    ),
    JudgingPanel(
        name="wine_competition",
        title="Wine competition",
        sheet="Points",
        settings=Settings(
            object_noun="Wine",
            assessor_noun="Taster",
            score_noun="Score",
            scale_low=50,
            scale_high=100,
            bands=(Band("Gold", 92.0), Band("Silver", 88.0), Band("Bronze", 84.0), Band("No medal", 50.0)),
            borderline_zone=0.5,
        ),
        deciders="chair of the jury",
        purpose="A wine is tasted at one table, and a table of strict tasters gives fewer medals for the same wines.",
        scores="A score is a whole number from 50 to 100. n/a: the bottle was faulty or the taster made the wine.",
        advice=(
            "Link the tables",
            "Tables can only be compared through wines that come to all of them. Pour some, unannounced, at every "
            "table: without them panelcal refuses, and names the tables that nothing joins.",
        ),
        notice="Six of the 45 wines came to all three tables and compare them; the others came to one. The wines of a "
        "strict table move up together, and some medals change.",
        drawing=Drawing(1987, ("W", 45), ("T", 12), 4, 86.5, 3.2, 2.5, 2.0, (50, 100, 1), tables=3, at_every_table=6),
    ),
    JudgingPanel(
        name="rubric",
        title="Rubric with criteria",
        sheet="Scores",
        settings=Settings(
            object_noun="Project",
            assessor_noun="Judge",
            score_noun="Score",
            scale_low=0,
            scale_high=10,
            criteria=MappingProxyType({TOGETHER: 1.0, **_RUBRIC}),
        ),
        deciders="jury",
        purpose="A judge may be strict on one criterion only, and a total hides that.",
        scores="Each criterion has a score from 0 to 10. n/a in a whole row: the judge did not see the project.",
        advice=(
            "Criteria",
            "Content, Method and Presentation are examples: change the headings, and the table Criterion on the sheet "
            'Settings with the share of each. The line "together" there asks for the sheet Cal criteria.',
        ),
        notice="Judge J01 is severe on Presentation only. Cal criteria names the judge and the criterion, and takes "
        "off no more than that.",
        drawing=Drawing(1999, ("E", 30), ("J", 8), 4, 6.3, 1.0, 0.7, 0.7, (0, 10, 0.5), criteria=tuple(_RUBRIC)),
    ),
)
