"""What "yesterday" was: relative days as dates, by when and where it was said. Pure.

Only what has one meaning is resolved: "on Friday" may be past or to come, and "next
Friday" is this week's to some and next week's to others. Those stay as they are.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from functools import partial

from memory.lifecycle.vocabulary import NUMBER_WORDS, WEEKDAYS

_Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class _Rule:
    """An expression of one language, and the day, week, month or year it means."""

    language: str
    pattern: re.Pattern[str]
    resolve: Callable[[date, _Match], str]
    before: str
    """What stands before a date in a sentence of the language, with its space."""


def _day(offset: int) -> Callable[[date, _Match], str]:
    return lambda said, _: (said + timedelta(days=offset)).isoformat()


def _week(offset: int) -> Callable[[date, _Match], str]:
    def resolve(said: date, _: _Match) -> str:
        monday = said + timedelta(weeks=offset, days=-said.weekday())
        return f"{monday.isoformat()}/{(monday + timedelta(days=6)).isoformat()}"

    return resolve


def _month(offset: int) -> Callable[[date, _Match], str]:
    return lambda said, _: _months_on(said, offset)


def _year(offset: int) -> Callable[[date, _Match], str]:
    return lambda said, _: f"{said.replace(day=1).year + offset:04d}"


def _months_on(said: date, offset: int) -> str:
    month = said.year * 12 + said.month - 1 + offset
    return date(month // 12, month % 12 + 1, 1).isoformat()[:7]


def _last_weekday(said: date, match: _Match) -> str:
    wanted = WEEKDAYS[match["weekday"].casefold()] - 1
    return (said - timedelta(days=(said.weekday() - wanted - 1) % 7 + 1)).isoformat()


def _ago(said: date, match: _Match) -> str:
    word = match["number"].casefold()
    number = int(word) if word.isdecimal() else NUMBER_WORDS[word]
    unit = match["unit"].casefold()
    if unit.startswith(_YEARS):
        return f"{date(said.year - number, 1, 1).year:04d}"
    if unit.startswith(_MONTHS):
        return _months_on(said, -number)
    days = 7 * number if unit.startswith(_WEEKS) else number
    return (said - timedelta(days=days)).isoformat()


_YEARS = ("year", "jahr", "an", "año")
_MONTHS = ("month", "monat", "mois", "mes")
_WEEKS = ("week", "woche", "sem")
_UNIT = (
    r"(?P<unit>days?|weeks?|months?|years?|tag(?:en?)?|wochen?|monat(?:en?)?"
    r"|jahr(?:en?)?|jours?|semaines?|mois|ann[ée]es?|ans?|días?|dias?|semanas?|mes(?:es)?"
    r"|años?)"
)
_NUMBER = r"(?P<number>\d{1,4}|" + "|".join(map(re.escape, NUMBER_WORDS)) + ")"
_WEEKDAY = r"(?P<weekday>" + "|".join(sorted(WEEKDAYS, key=len, reverse=True)) + ")"

_TABLE: dict[str, tuple[str, dict[str, Callable[[date, _Match], str]]]] = {
    "en": (
        "on ",
        {
            r"(?:the )?day before yesterday": _day(-2),
            r"(?:the )?day after tomorrow": _day(2),
            r"yesterday(?!')": _day(-1),
            r"last night": _day(-1),
            r"tomorrow(?!')": _day(1),
            r"today(?!')|tonight|this (?:morning|afternoon|evening)": _day(0),
            rf"last {_WEEKDAY}": _last_weekday,
            rf"{_NUMBER} {_UNIT} ago": _ago,
            r"last week": _week(-1),
            r"this week": _week(0),
            r"next week": _week(1),
            r"last month": _month(-1),
            r"this month": _month(0),
            r"next month": _month(1),
            r"last year": _year(-1),
            r"this year": _year(0),
            r"next year": _year(1),
        },
    ),
    "de": (
        "am ",
        {
            r"vorgestern": _day(-2),
            r"übermorgen": _day(2),
            r"gestern": _day(-1),
            r"(?-i:(?<![Jj]eden )(?<![Aa]m )(?<![Gg]uten )morgen)": _day(1),
            r"heute": _day(0),
            rf"letzte[nr]? {_WEEKDAY}": _last_weekday,
            rf"vor {_NUMBER} {_UNIT}": _ago,
            r"letzte woche": _week(-1),
            r"diese woche": _week(0),
            r"nächste woche": _week(1),
            r"letzten monat": _month(-1),
            r"diesen monat": _month(0),
            r"nächsten monat": _month(1),
            r"letztes jahr": _year(-1),
            r"dieses jahr": _year(0),
            r"nächstes jahr": _year(1),
        },
    ),
    "fr": (
        "le ",
        {
            r"avant-hier": _day(-2),
            r"après-demain": _day(2),
            r"hier": _day(-1),
            r"demain": _day(1),
            r"aujourd['’]hui": _day(0),
            rf"{_WEEKDAY} dernier": _last_weekday,
            rf"il y a {_NUMBER} {_UNIT}": _ago,
            r"la semaine dernière": _week(-1),
            r"cette semaine": _week(0),
            r"la semaine prochaine": _week(1),
            r"le mois dernier": _month(-1),
            r"ce mois-ci": _month(0),
            r"le mois prochain": _month(1),
            r"l['’]an(?:née)? derni(?:er|ère)": _year(-1),
            r"cette année": _year(0),
            r"l['’]an(?:née)? prochaine?": _year(1),
        },
    ),
    "es": (
        "el ",
        {
            r"anteayer|antes de ayer": _day(-2),
            r"pasado mañana": _day(2),
            r"ayer": _day(-1),
            r"(?<!la )(?<!esta )(?<!de )mañana": _day(1),
            r"hoy": _day(0),
            rf"(?:el )?{_WEEKDAY} pasado": _last_weekday,
            rf"hace {_NUMBER} {_UNIT}": _ago,
            r"la semana pasada": _week(-1),
            r"esta semana": _week(0),
            r"la (?:próxima semana|semana que viene)": _week(1),
            r"el mes pasado": _month(-1),
            r"este mes": _month(0),
            r"el (?:próximo mes|mes que viene)": _month(1),
            r"el año pasado": _year(-1),
            r"este año": _year(0),
            r"el (?:próximo año|año que viene)": _year(1),
        },
    ),
    "": (
        "",
        {
            r"前天|一昨日|おととい|그저께": _day(-2),
            r"后天|後天|明後日|あさって|모레": _day(2),
            r"昨天|昨日|きのう|어제": _day(-1),
            r"明天|明日(?!香)|내일": _day(1),
            r"今天|今日|오늘": _day(0),
            r"上周|上週|先週|지난주": _week(-1),
            r"这周|這週|本周|今週|이번 주": _week(0),
            r"下周|下週|来週|다음 주": _week(1),
            r"上个月|上個月|先月|지난달": _month(-1),
            r"这个月|這個月|今月|이번 달": _month(0),
            r"下个月|下個月|来月|다음 달": _month(1),
            r"去年|작년": _year(-1),
            r"今年|올해": _year(0),
            r"明年|来年|내년": _year(1),
        },
    ),
}

_DATE = r"\d{4}(?:-\d\d(?:-\d\d(?:/\d{4}-\d\d-\d\d)?)?)?"
_NOTED = rf"(?: ?[\[(](?P<noted>{_DATE})[\])])?"


def _rules() -> Iterator[_Rule]:
    for language, (before, expressions) in _TABLE.items():
        edge = r"\b" if language else ""
        for pattern, resolve in expressions.items():
            compiled = re.compile(
                rf"(?P<said>{edge}(?:{pattern}){edge}){_NOTED}", re.IGNORECASE
            )
            yield _Rule(language, compiled, resolve, before)


_RULES = tuple(_rules())
_FRENCH = re.compile(
    r"\b(?:le|la|les|une|des|du|est|était|sont|nous|vous|je|il|elle|on|pas|avec|pour"
    r"|dans|sur|avons|avez|ont|été|au|aux|[ldjcn]['’]\w+)\b",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"\b(?:der|die|das|den|dem|ein|eine|ist|sind|war|wir|ich|ihr|nicht|und|mit|für|auf"
    r"|im|am|haben|hat|wird|läuft|bitte)\b",
    re.IGNORECASE,
)
_HAS_PREPOSITION = re.compile(r"\b(?:on|since|until|by|from|am|seit|bis|el|le) $", re.I)


def with_dates(text: str, *, said_at: datetime, zone: tzinfo) -> str:
    """Return the text with the date after each relative day: yesterday [2026-03-26]."""
    said = said_at.astimezone(zone).date()

    def note(rule: _Rule, match: _Match) -> str:
        when = None if match["noted"] else _date_of(rule, match, said)
        return f"{match[0]} [{when}]" if when else match[0]

    return _replaced(text, note)


def dated(text: str, *, said_at: datetime, zone: tzinfo) -> str:
    """Return the text with dates in place of relative days, noted ones as well."""
    said = said_at.astimezone(zone).date()

    def replace(rule: _Rule, match: _Match) -> str:
        when = match["noted"] or _date_of(rule, match, said)
        return _before(match, rule, when) + when if when else match[0]

    return _replaced(text, replace)


def _replaced(text: str, form: Callable[[_Rule, _Match], str]) -> str:
    """Return the text with what `form` makes of each expression.

    "hier" is yesterday in French and here in German.
    """
    french = len(_FRENCH.findall(text)) > len(_GERMAN.findall(text))
    for rule in _RULES:
        if rule.language != "fr" or french:
            text = rule.pattern.sub(partial(form, rule), text)
    return text


def _date_of(rule: _Rule, match: _Match, said: date) -> str | None:
    try:
        return rule.resolve(said, match)
    except (KeyError, OverflowError, ValueError):
        return None  # no day of any calendar


def _before(match: _Match, rule: _Rule, when: str) -> str:
    """Return the preposition that a date needs in this place, or nothing."""
    if _HAS_PREPOSITION.search(match.string, 0, match.start()):
        return ""
    before = rule.before if len(when) == _A_DAY else _IN[rule.language]
    return before.capitalize() if match.start() == 0 else before


_A_DAY = len("2026-03-26")
_IN = {"en": "in ", "de": "in ", "fr": "en ", "es": "en ", "": ""}
