"""The words of the trades in eight languages: English, German, French, Spanish, Italian, Dutch, Portuguese, Polish.

One table for everything a heading or a label may say; `headings` knows how to compare. Each row begins with the English
word that sentences use; the rest are other words for it, in small letters and in the singular, with their accents (a
word without its accents is understood as well). Words that are also honest names of assessors (a module called Media)
stay out: the numbers speak for those.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType


def unaccented(word: str) -> str:
    """Strip the accents from a word."""
    marks = unicodedata.normalize("NFKD", word.replace("ł", "l").replace("ß", "ss"))
    return "".join(letter for letter in marks if not unicodedata.combining(letter))


def singular(word: str) -> str:
    """Strip the s from a word as headings are compared: "Students" and "Student", but not "Thesis"."""
    keep = ("ss", "us", "is", "ects", "cats")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(keep) else word


def words(text: str) -> frozenset[str]:
    """Split a row of the table into words as `singular` leaves them, each with and without its accents."""
    return frozenset(spelt for word in text.split() for spelt in _spellings(singular(word)))


def phrases(text: str) -> frozenset[str]:
    """Split a table of phrases, one a line or with commas between them."""
    lines = text.replace("\n", ",").split(",")
    given = [phrase for line in lines if (phrase := line.strip())]
    return frozenset(
        spelt
        for phrase in given
        for form in (phrase, " ".join(map(singular, phrase.split())))
        for spelt in _spellings(form)
    )


def _spellings(text: str) -> tuple[str, ...]:
    # Without its bar, the sign for a mean is the letter x.
    return (text, unaccented(text)) if len(text) > 2 else (text,)


_OBJECTS = """
student: étudiant étudiante studierender studierende estudiante alumno alumna studente studentessa estudante
  aluno aluna studentka matrikelnummer matrikelnr matrikel matricola matrícula studentnummer
candidate: kandidat kandidatin candidat candidato candidata kandidaat kandydat kandydatka prüfling
talk: vortrag exposé communication ponencia presentatie referat wystąpienie
proposal: projektantrag propuesta proposta voorstel
manuscript: manuskript manuscrit manuscrito manoscritto
applicant: bewerber bewerberin aspirante
application: dossier bewerbung antrag candidature solicitud domanda aanvraag candidatura wniosek
submission: einreichung soumission inzending submissão zgłoszenie
object: objekt objet objeto oggetto
project: projekt projet proyecto progetto projeto
essay: aufsatz
pupil: schüler schülerin élève leerling uczeń
participant: teilnehmer teilnehmerin teilnehmender partecipante participante deelnemer uczestnik
script: copie
article: artikel
entry: beitrag
work: werk obra
poster: póster cartel affiche plakat
paper abstract item entry entrant contestant competitor presentation presenter speaker grant bid team startup
nominee nomination thesis dissertation exhibit product case performer artwork film wine matriculation gymnast skater
athlete diver dancer rider choir couple sample reviewee ratee assessee examinee evaluatee
"""

_ASSESSORS = """
module: modul módulo modulo moduł
judge: jurymitglied juge juez giudice juiz sędzia jurylid
marker: korrektor korrektorin correcteur corrector
reviewer: gutachter gutachterin relecteur relectrice rapporteur revisor revisora revisore recenzent recenzentka
  reviewername
examiner: prüfer prüferin examinateur examinatrice examinador esaminatore examinator egzaminator
assessor: bewerter évaluateur évaluatrice evaluador evaluadora valutatore beoordelaar avaliador avaliadora oceniający
juror: jury juré jurado jurada giurato
expert: experte expertin
course: kurs cours curso corso
subject: fach matière asignatura disciplina vak przedmiot
reader: lecteur
interviewer agent member rater referee panellist panelist grader evaluator scorer model unit exam critic moderator
voter annotator test adjudicator worker crowdworker taster investor
"""

_SCORES = """
score: punktzahl wertung puntuación punteggio pontuação puntaje
rating: bewertung ocena beoordeling
grade: note nota voto cijfer calificación
point: punkt punkte punti punto
result: ergebnis résultat resultado risultato resultaat wynik
evaluation: évaluation evaluación valutazione avaliação
mark value percentage
"""


def _table(text: str) -> Mapping[str, str]:
    """Read a table as word -> the English word for it; on a row without a colon every word stands for itself."""
    found: dict[str, str] = {}
    for row in text.strip().replace("\n  ", " ").splitlines():
        english, colon, others = row.partition(":")
        found |= {word: english for word in words(f"{english} {others}")} if colon else {w: w for w in words(row)}
    return MappingProxyType(found)


OBJECTS = _table(_OBJECTS)
"""Word -> English word for what is assessed."""
ASSESSORS = _table(_ASSESSORS)
"""Word -> English word for who or what assesses."""
SCORES = _table(_SCORES)
"""Word -> English word for what is given."""

ASSESSED = words("scored assessed marked rated reviewed tasted judged graded evaluated examined voted")
"""Words that speak of who assesses with "by" behind them: "Scored by"."""
ASSESSORS_ALONE = words("respondent")
"""Words for who assesses by themselves only: a Respondent ID numbers the rows of a survey."""
ASSESSOR_FILLERS = words(
    "pc panel jury committee programme program comité kommission komisja commissie comisión trice rice "
    "profile handle account nickname"
)
AGREED = words("agreed moderated reconciled consensus einigungsnote festsetzung festgesetzt délibération délibéré")
"""Words for a mark that several markers settled on."""
SCORE_FILLERS = words(
    "answer crse input final overall awarded given raw total agreed moderated the speaker your finale endgültig"
)

HOUSE_FIGURES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "as a self-assessment is": words(
            "self selbst selbsteinschätzung selbstbewertung eigenbewertung autoévaluation autoevaluación "
            "autovalutazione zelf zelfbeoordeling zelfevaluatie autoavaliação samoocena självskattning"
        ),
        "as an earlier or a later round is": words(
            "round runde vorrunde endrunde ronde manche prelim preliminary earlier previous prior vorher bisher "
            "précédent anterior precedente vorig tidigare poprzedni attempt versuch tentative intento tentativo poging "
            "resit retake repeat wiederholung rattrapage"
        ),
        "as what was expected or required is": words(
            "predicted forecast target threshold cutoff cut provisional vorläufig provisoire provisional"
        ),
        "as a part in class or a test of another kind is": words(
            "participation engagement mitarbeit beteiligung participación partecipazione participação deelname "
            "udział ielts toefl sat gre entry intake aptitude"
        ),
        "as the likeness to other texts is": words("similarity turnitin plagiarism plagiat ähnlichkeit similitude"),
        "as what others of the same kind said is": words("peer peers mitstudierende"),
        "as the score as a whole is": words("score point punkt punkte punto punti punten"),
        "as a mock examination is": words("mock probeklausur probeexamen generalprobe"),
        "as votes of the public are": words(
            "public votes audience publikum público pubblico publiek publiczność televote televoting publikumsvoting "
            "publikumsstimme publikumswertung zuschauer zuschauervoting spectateur spectators espectador"
        ),
        "as what all of them gave together is": words(
            "jury panel kommission committee gremium comité comitato komisja comissão commissie"
        ),
        "as certainties are": words("sure sicher sûr sûre seguro seguridad sicuro sicurezza zeker pewność"),
        "as what was worked out or put forward is": words(
            "adj adjusted capped calibrated residual index weighted curved scaled "
            "normalised normalized standardised standardized vorschlag percentile prozentrang centile"
        ),
        "as facts about what is assessed are": words(
            "tisch tafel mesa tavolo seiten fachsem fachsemester jahr año anno jaar lata jg pages anz antal "
            "experience experiencia expérience erfahrung berufserfahrung esperienza ervaring experiência "
            "seniority dienstjahr cp lp kp raum salle sala saal height table intake week month temperature budget cost "
            "amount likes downloads late extension house groesse größe woche monat betrag kosten verspätung "
            "taille semaine mois montant retard estatura semana mes importe altezza settimana mese importo"
        ),
    }
)
"""How a column is headed -> words of which one alone is enough to ask what it holds: they may be an assessor's."""
HOUSE_FILLERS = words(
    "assessment score rating mark evaluation points punkte note vote votes stimme bew bewertung of the 1st 2nd 1e 2e "
    "first second third rank last 1 2 3 4 exam examination test no number cm m kg day off in ai grade overall total"
)

PARTS_OF_SELECTION = words(
    "interview portfolio homework coursework audition cv resume reference references iq gpa viva attendance "
    "participation practical oral written essay vorstellungsgespräch bewerbungsgespräch mappe hausaufgabe hausaufgaben "
    "mündlich schriftlich entretien dossier devoir oral écrit entrevista expediente deberes colloquio compiti "
    "sollicitatiegesprek huiswerk rozmowa"
)
"""Words above a mark for something else about the same people, where all others are surnames."""
PARTS_OF_COURSES = words(
    "quiz midterm mid term final assignment project lab laboratory report presentation paper problem exercise "
    "worksheet seminar tutorial thesis dissertation test exam examination klausur prüfung übung hausarbeit referat "
    "examen contrôle devoir tp td examen práctica trabajo parcial esame prova progetto toets opdracht tentamen prova "
    "trabalho egzamin kolokwium projekt mathematics maths math physics chemistry biology history geography english "
    "german french spanish science literature art music economics statistics algebra analysis introduction theory"
)
"""Words in the headings of what students are examined in."""
WEIGHTS = words(
    "confidence weight weighting credit cats ects expertise certainty precision vertrauen gewissheit "
    "konfidenz gewicht gewichtung leistungspunkt kreditpunkt sicherheit säkerhet "
    "confiance coefficient coef coeff crédit poids pondération expertise certitude fiabilité certeza certezza "
    "zekerheid "
    "confianza crédito peso coeficiente ponderación fiducia crediti coefficiente cfu "
    "vertrouwen studiepunt studiepunten weging confiança créditos coeficiente pewność waga wagi"
)
WEIGHT_FILLERS = words(
    "value point rating level per module of reviewer judge assessor self in the score mark 's reviewer's your s"
)

SURE = words(
    "sure certain confident familiarity familiar vertrautheit familiarité sicher sûr seguro sicuro zeker pewny"
)
SURE_FILLERS = words("how are you with the field topic subject area of in wie man sind sie bist du")
"""Words that speak of confidence where they stand beside each of several scores."""

DEVIATION_PHRASES = phrases(
    "sd, s d, std, stdev, st dev, std dev, std deviation, standard deviation, sigma, σ, uncertainty, +/-, ±, "
    "standard error, se, std error, error, "
    "standard uncertainty, standardabweichung, écart type, desviación estándar, "
    "deviazione standard, standaardafwijking, desvio padrão, odchylenie standardowe"
)

IDENTIFIERS = words(
    "id identifier sid emplid number no nr code ref reference key # num n° nº nummer numéro número numero numer"
)
START_NUMBERS = words("bib startnummer startnr dossard dorsal pettorale rugnummer")
"""Words above the numbers that competitors wear."""
NAMES = words(
    "name surname forename title firstname lastname fullname vorname nachname familienname titel nom prénom titre "
    "nombre apellido apellidos nome cognome titolo naam voornaam achternaam sobrenome apelido imię nazwisko"
)
NAME_FILLERS = words(
    "first last full family given of the middle und et y e en i your ihr dein votre tu su il tuo suo seu uw jouw twoje "
    "der die des du de del della dello do da van la le el"
)

PLACES = words("module course subject unit exam test model agent")
"""Words for assessors that are no people, of which one may well be called otherwise: MA1, MA2 and Total Quality."""

ADDRESSES = words("email mail e-mail courriel correo")
NAME_PARTS = words(
    "first last given family surname forename firstname lastname vorname nachname familienname prénom nom nombre "
    "apellido nome cognome voornaam achternaam sobrenome apelido imię nazwisko"
)
"""Words for a part of somebody's name."""

ABOUT = words(
    "programme program degree route year stage department school faculty email mail tutor supervisor college "
    "group section "
    "track session institution affiliation country gender topic category level status mode date time cohort leader "
    "convenor convener lecturer semester term home organisation organization university company room slot order field "
    "discipline type occurrence period kind "
    "run heat attempt lauf durchgang versuch essai "
    "set prompt round venue flight dive nationality instrument side timestamp address username login availability "
    "e-mail jahrgang studiengang datum gruppe abteilung filière année groupe courriel grupo fecha correo data gruppo "
    "groep grupa rok kierunek"
)
ABOUT_FILLERS = words("essay of study the module home last access start completion sis root account")

STATES = words("status state stand stato statut estado staat stan")
"""Words for a column that says how far a review has come."""
UNFINISHED = words(
    "pending draft incomplete declined withdrawn cancelled canceled deleted invited assigned open opened unsubmitted "
    "void voided progress started unfinished missing late overdue entwurf offen ausstehend begonnen abgelehnt "
    "zurückgezogen eingeladen unvollständig brouillon refusé attente retiré borrador pendiente rechazado retirado "
    "bozza sospeso rifiutato ritirato concept openstaand geweigerd ingetrokken rascunho pendente recusado szkic "
    "oczekujący"
)
"""Words for a review that was never handed in, or was taken back."""
NOTHING_GIVEN = phrases(
    "na, n/a, nan, null, none, nil, missing, ., .., ..., ./., coi, conflict, conflict of interest, recused, abstain, "
    "abstained, abstention, not assessed, not scored, not rated, not reviewed, not marked, not seen, not evaluated, "
    "not judged, did not review, did not score, did not judge, did not assess, no score, no review, no rating, "
    "not available, not applicable, unscored, "
    "ka, k a, keine angabe, nicht bewertet, nicht beurteilt, nicht begutachtet, nicht gesehen, keine bewertung, "
    "ohne bewertung, ohne wertung, keine wertung, enthaltung, befangen, interessenkonflikt, "
    "non noté, non notée, non évalué, non évaluée, pas noté, pas évalué, sans note, conflit d'intérêts, "
    "sin calificar, sin evaluar, no evaluado, no evaluada, no calificado, sin nota, sin datos, abstención, "
    "non valutato, non valutata, non assegnato, senza voto, astenuto, conflitto di interessi, "
    "niet beoordeeld, geen beoordeling, geen score, onthouding, "
    "não avaliado, não avaliada, sem nota, sem avaliação, abstenção, nie oceniono, brak oceny, brak, nie oceniał"
)
"""What stands where a score was never given: whoever assesses left it out."""
NOT_THERE = phrases(
    "absent, absence, did not attend, did not sit, did not appear, no show, not present, nb, nv, np, ne, "
    "abwesend, nicht erschienen, nicht anwesend, gefehlt, fehlt, krank, entschuldigt, unentschuldigt, "
    "absente, non présent, non présente, excusé, excusée, dispensé, dispensée, "
    "ausente, no presentado, no presentada, no se presentó, assente, non presente, non pervenuto, "
    "afwezig, niet verschenen, niet aanwezig, faltou, não compareceu, nieobecny, nieobecna"
)
"""What stands where somebody or something was not there: of a student in an exam it may mean zero, or failed."""
TAKEN_BACK = words("deleted withdrawn cancelled canceled removed retracted gelöscht zurückgezogen supprimé eliminado")
"""Words for a column that is filled where a review was taken back."""

STATISTICS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "rank": words(
            "rank ranking position place rang platz platzierung classement puesto posición clasificación posizione "
            "graduatoria plaats plaatsing rangorde posição colocação miejsce lokata pozycja"
        ),
        "deviation": words("sd stdev variance standardabweichung standaardafwijking varianz"),
        "median": words("median médiane mediana mediaan"),
        "mean": words(
            "mean average avg ave avge av gpa cwa wam mittelwert durchschnitt durchschnittsnote mittel notenschnitt "
            "gesamtmittelwert schnitt gesamtschnitt klassenschnitt klassendurchschnitt durchschn mw moyenne moy "
            "promedio prom gemiddelde gemiddeld gem średnia śr ø ∅ ⌀ puntsgemiddelde klassengemiddelde"
        ),
        "sum": words(
            "total sum aggregate overall final subtotal summe gesamt gesamtpunkte gesamtpunktzahl gesamtnote insgesamt "
            "endnote somme totale suma somma gesamtergebnis gesamtwertung gesamtsumme gesamtpkt endergebnis totaal som "
            "soma razem ogółem łącznie tot"
        ),
        "max": words("max maximum highest höchstwert maximal maximale massimo máximo maks maksimum hoogste"),
        "min": words("min minimum lowest tiefstwert minimal minimale minimo mínimo laagste"),
        "count": words("count n anzahl aantal liczba"),
        "other": words(
            "class classification outcome decision comment remark note award recommendation passed failed pass fail "
            "mode quartile percentile bemerkung kommentar anmerkung bestanden commentaire remarque mention décision "
            "comentario observación commento opmerking comentário observação uwagi komentarz"
        ),
    }
)
"""Kind of a statistic -> words that name it, in the order in which they decide."""

SELECTING = words(
    "best top bottom worst highest lowest beste besten meilleur meilleure mejor mejores migliori melhores"
)
"""Words that make a statistic with a number: "Best 4", "Top 3 average"."""

TITLES_OF_PEOPLE = words("dr prof professor mr mrs ms miss mx sir herr frau dott dra sr sra mme mlle ing ir rev")
"""In front of a surname, as Dr Abel has it."""

LEAVING_OUT = words("drop dropped dropping without w excluding excl discard discarded discarding ohne sans sin senza")
LEFT_OUT = words("highest lowest high low extreme worst best outlier streichnote extremwert")
"""Words that make a statistic together: "Drop lowest", "Without extremes"."""
NUMBERS = words("two three four five six seven eight nine ten zwei drei vier fünf deux trois quatre cinq")
SELECTION_FILLERS = words("of out o and one two from counting mark score module only the value result point n")
PENALTIES = words(
    "penalty deduction deducted bonus malus adjustment surcharge abzug strafpunkt pénalité penalización penalità "
    "penalizzazione strafe aftrek penalização kara"
)
PENALTY_FILLERS = words(
    "late lateness point mark score after before net neutral total submission work % day applied for"
)

STATISTIC_FILLERS = words(
    "mark score scores grand weighted year of credit the all unweighted arithmetic stage level module % percentage out "
    "no number degree proposed provisional suggested draft raw cats ects result grade rate student candidate standard "
    "deviation std dev board exam examiner overall per in and or full available possible range rounded rating point "
    "value on to by from for entries assessment taken obtained attempted judge reviewer talk proposal ug pgt "
    "course assignment category trimmed truncated truncada truncado getrimmt gestutzt "
    "kurs kursgesamt note noten der die das gewichtet gewichteter gewichtetes arithmetischer punkte "
    "cours général générale pondérée pondéré du de des la le les générale notes "
    "nota notas ponderada ponderado general final del los las el "
    "voto voti ponderata ponderato generale finale dei gewogen eindcijfer cijfer punten "
    "geral ważona ocen punktów pkt pts punti punto punkten punti classe clase klasse klas jury jurado giuria júri "
    "jurados jurys juge jurymitglieder"
)

STATISTIC_PHRASES: Mapping[str, str] = MappingProxyType(
    {
        phrase: kind
        for kind, text in {
            "trimmed mean": "trimmed mean, truncated mean, mean w o high & low, mean without high and low, "
            "average w o high & low, getrimmter mittelwert, moyenne tronquée, media troncata, media truncada",
            "sum": "sum w o high & low, sum without high and low, sum w o high and low, ∑, σ total, current score, "
            "unposted current score, unposted final score, current point, unposted current point, "
            "unposted final point, assignment current score, assignment final score, current grade, "
            "unposted current grade, unposted final grade, segment score, panel score, e score, wynik końcowy, "
            "total de puntos, punteggio totale, pontuação total, nota final, voto finale, note finale",
            "weighted mean": "year mark, stage mark, year average mark, credit weighted mark",
            "mean": "ø, x̄, media aritmetica, nota media, media voti, media ponderata, media ponderada, media final, "
            "nota média, média ponderada, média simples, média aritmética, média da turma, média dos testes, "
            "média das notas, weighted, moyenne générale, média geral, media generale",
            "max": "high, high score",
            "min": "low, low score",
            "deviation": "spannweite, standard deviation, std dev, std deviation, st dev, σ, range, spread, "
            "écart type, desviación estándar, deviazione standard, desvio padrão",
            "maximum possible": "out of, full marks, points possible, point possible, max points, maximum points, "
            "max mark, maximum mark, max score, maximum score, höchstpunktzahl, maximalpunktzahl, barème, "
            "puntaje máximo, puntuación máxima, punteggio massimo, maximum te behalen",
            "count": "number of marks, number of scores, number of students, number of candidates, no of students, "
            "no of marks, number marked, nombre de notes, número de notas, numero voti, anzahl noten",
            "agreed": "agreed mark, agreed score, agreed grade, agreed, moderated mark, moderated score, moderated, "
            "reconciled mark, reconciled, consensus score, consensus mark, einigungsnote, note d accord",
            "rank": "pl, plc, pos, rk",
            "other": "year of experience, jahre erfahrung, jahr erfahrung, année d expérience, año de experiencia, "
            "anno di esperienza, jaren ervaring, years experience, "
            "vintage, abv, alcohol, alcohol by volume, yes vote, no vote, abstention, "
            "tariff, entry tariff, tariff point, override score, override grade, last year, previous year, prior year, "
            "vorjahr, letztes jahr, année précédente, año anterior, anno precedente, vorig jaar, ano anterior, "
            "previous result, requested, amount requested, requested amount, awarded, amount awarded, recommended "
            "amount, recommended award, revision, revision number, day to review, day overdue, time invited, "
            "number of day reviewer took, final grade numerator, final grade denominator, calculated final grade "
            "numerator, calculated final grade denominator, adjusted final grade numerator, adjusted final grade "
            "denominator, max point, view count, submission count, team point, running order, order of "
            "appearance, starting order, ucas points, ucas tariff, grade, degree class, result, test student, "
            "attendance, attendance %, absence, assiduité, taux de présence, assiduidade, frequência, frequenza, "
            "asistencias, anwesenheitsquote, anwesenheitspflicht, frekwencja, närvaro, "
            "attendance rate, day present, days present, day absent, year of birth, birth year, date of birth, "
            "year of entry, entry year, year of admission, age, phone, telephone, phone number, telephone number, "
            "mobile, student number, postcode, zip, bib, bib number, start no, start number, starting number, seat, "
            "d score, difficulty, difficulty score, base value, deduction, penalty, bonus, neutral deduction, nd, "
            "rank sum, sum of ranks, place sum, sum of places, total rank, seat no, seat number, exam seat, seat, "
            "hours online, hour online, time online, hours, minutes, duration, duration in seconds, time spent, "
            "time taken, started, last login, mobile no, submitted on, submission date, word count, number of words, "
            "number of logins, net mean, net mark, net score, clicks, page views, platzziffer, sitzplatz, "
            "z score, t score, ai score, ai detection, grade point, grade points, "
            "last downloaded from this course, zuletzt aus diesem kurs geladen, "
            "dernier téléchargement depuis ce cours, credit taken, credit attempted, attempt, margin, "
            "geburtsjahr, eintrittsjahr, anwesenheit, fehlzeiten, fehltage, alter, telefon, telefonnummer, "
            "année de naissance, présence, absences, téléphone, âge, año de nacimiento, asistencia, faltas, teléfono, "
            "edad, anno di nascita, presenze, assenze, telefono, età, geboortejaar, aanwezigheid, telefoonnummer, "
            "leeftijd, ano de nascimento, presença, telefone, idade, rok urodzenia, obecność, wiek",
        }.items()
        for phrase in phrases(text)
    }
    | {"média": "mean"}  # with its accent only: Media is a module
)
"""Whole heading -> kind of statistic, or "agreed" (markers agreed on it) or "other" (about the object, no score)."""
