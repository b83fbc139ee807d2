"""Words of well-known scales, the best first: a scale in a row, levels between semicolons, words between bars."""

from __future__ import annotations

_SCALES = """
quality in German: sehr gut; gut; befriedigend; ausreichend; mangelhaft; ungenügend
quality in French: excellent; très bien; bien; assez bien; passable | moyen; insuffisant | mauvais
quality in Spanish: excelente; muy bueno | muy bien; bueno | bien; regular; malo | mal; muy malo | muy mal
quality in Italian: ottimo; distinto; buono; discreto; sufficiente; insufficiente | scarso; pessimo
quality in Dutch: uitmuntend | uitstekend; zeer goed; goed; voldoende; matig | onvoldoende; slecht
quality in Portuguese: ótimo | excelente; muito bom; bom; regular; ruim | mau; péssimo | muito mau
quality in Polish: celujący; bardzo dobry; dobry; dostateczny | średni; słaby | dopuszczający; \
bardzo słaby | niedostateczny
pass, merit, distinction: distinction; merit; pass; fail | refer
levels of the Common European Framework: C2; C1; B2; B1; A2; A1
medals: gold | or | oro | goud | ouro | złoto; silver | silber | argent | plata | argento | zilver | prata | srebro; \
bronze | bronce | bronzo | brons | brąz; commended | commendation | honourable mention | honorable mention | mention | \
lobend erwähnt
stars, with U for none: 4*; 3*; 2*; 1*; U | U/C | UC | unclassified | 0*
decisions of a journal: accept | accept as is | accepted; minor revision | minor revisions | minor; \
major revision | major revisions | major | revise; reject and resubmit | resubmit; reject | rejected
Greek letters: α+; α; α-; β+; β; β-; γ+; γ; γ-; δ
letters with + and -: A+; A; A-; B+; B; B-; C+; C; C-; D+; D; D-; E+; E; E-; F
Roman numerals, the highest the best: X; IX; VIII; VII; VI; V; IV; III; II; I
Roman numerals, I the best: I; II; III; IV; V; VI; VII; VIII; IX; X
five answers, from strong no to strong yes: strong yes | strong hire | definitely; yes | hire; \
maybe | neutral | undecided | on the fence; no | no hire; strong no | strong no hire | definitely not
three answers: yes | ja | oui | sí | sì | sim | tak; maybe | vielleicht | peut-être | quizás | forse | misschien | \
talvez | może; no | nein | non | nee | não | nie
high, medium, low: high | hoch | élevé | alto | hoog | wysoki; medium | mittel | moyen | medio | midden | \
médio | średni; low | niedrig | faible | bajo | basso | laag | baixo | niski
"""


def _levels(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(word.strip() for word in level.split("|")) for level in text.split(";"))


SCALES = {row.partition(":")[0]: _levels(row.partition(":")[2]) for row in _SCALES.strip().splitlines()}
"""What a scale is -> the words of each level, the best first."""
