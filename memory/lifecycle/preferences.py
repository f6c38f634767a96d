"""What somebody wants, where only one of it can be wanted: a language, a unit, a tone.

Pure. As with claims, only sentences of fixed forms are read, from end to end: "answers
in German" is read, "answers in German when it is about taxes" is not.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from memory.lifecycle.claims import Claim, sentence_of
from memory.lifecycle.fields import UNSURE
from memory.lifecycle.particulars import denials
from memory.lifecycle.scanning import TokenKind, scan
from memory.lifecycle.values import Value, read_value


def _named(lines: str) -> dict[str, str]:
    """Return the canonical name of each word: the first of its line."""
    rows = [line.split() for line in lines.strip().splitlines()]
    return {word: row[0] for row in rows for word in row}


LANGUAGES = _named(
    """
    english englisch anglais inglés inglese inglês engels angielsku 英語 英语 영어
    german deutsch allemand alemán tedesco alemão duits niemiecku ドイツ語 德语 독일어
    french französisch français francés francese francês frans francusku フランス語 法语
    spanish spanisch espagnol español spagnolo espanhol spaans hiszpańsku スペイン語
    italian italienisch italien italiano włosku イタリア語 意大利语
    portuguese portugiesisch portugais portugués portoghese português
    dutch niederländisch holländisch néerlandais neerlandés olandese nederlands
    polish polnisch polonais polaco polacco polsku
    russian russisch russe ruso russo 俄语
    japanese japanisch japonais japonés giapponese 日本語 日语
    chinese chinesisch chinois chino cinese 中国語 中文
    korean koreanisch coréen coreano 韓国語 韩语 한국어
    turkish türkisch turc turco türkçe
    ukrainian ukrainisch
    swedish schwedisch svenska
    """
)
_FORMATS = _named("pdf\nmarkdown md\nhtml\ncsv\nexcel xlsx\nword docx\njson")
_TONES = _named("formal förmlich\ninformal casual locker")
_LENGTHS = _named("short brief concise kurze\nlong detailed verbose ausführliche")
_UNITS = _named("metric si metrische métriques métricas\nimperial imperiale impériales")
_SCALES = _named("celsius\nfahrenheit")
_CLOCKS = _named("24-hour 24h\n12-hour 12h")
_THEMES = _named("dark dunkle\nlight helle")

_NAME = r"(?-i:[^\W\d_a-z][^\W\d_]+(?: [^\W\d_a-z][^\W\d_]+)?)"
_WHO = (
    rf"(?:(?:the |our |der |die |le |el )?(?P<who>users?|admin|nutzer|benutzer"
    rf"|utilisateur|usuario|team|customer|i|we|{_NAME}) )"
)
_WANTS = rf"{_WHO}?(?:prefers?|wants?|bevorzugt|möchte|préfère|prefiere) "
_PLEASE = r"(?:(?:please|always|bitte|immer|siempre|toujours) )*"
_ANSWERS = (
    r"(?:answers|responses|replies|antworten|(?:les )?réponses|(?:las )?respuestas)"
)
_ANSWER = (
    r"(?:(?:answer|reply|respond)(?: to (?:me|us))?|antworte|antworten sie|réponds"
    r"|répondez|responde|rispondi|antwoord)"
)
_ALWAYS = r"(?: always| immer| bitte| please| toujours| siempre)?"
_IN = r"(?:in|auf|en|em|in het)"
_IS = r"(?: is|:| ist| should be| est| es)"
_V = r"(?P<value>\S+)"
_ABOUT = r"(?P<about>(?:[^\W\d_]+ ){0,2})"


@dataclass(frozen=True, slots=True)
class Wish:
    """Something of which one can want only one, and how it is said."""

    topic: str
    values: Mapping[str, str] | None
    """Canonical names of what can be wanted; None: a time zone."""
    forms: tuple[re.Pattern[str], ...]


def _wish(topic: str, values: Mapping[str, str] | None, *forms: str) -> Wish:
    return Wish(topic, values, tuple(re.compile(f, re.IGNORECASE) for f in forms))


WISHES = (
    _wish(
        "language",
        LANGUAGES,
        rf"{_WANTS}{_ANSWERS} {_IN} {_V}",
        rf"{_WANTS}{_V} (?:answers|responses|replies)",
        rf"{_PLEASE}{_ANSWER}{_ALWAYS} {_IN} {_V}(?: please| bitte)?",
        rf"(?:the )?(?:preferred )?(?:response|answer|reply) language{_IS} {_V}",
        rf"{_WHO.removesuffix(' )')}(?:'s)? )?preferred language{_IS} {_V}",
        rf"(?:die )?antwortsprache{_IS} {_V}",
        r"(?:回答|返答|返信)は(?P<value>\w+?語)で(?:お願いします|す)?",
        r"(?P<value>\w+?語)で(?:回答|返答|返信)して(?:ください)?",
        r"请?(?:一直|始终)?用(?P<value>\w+?[语文])(?:回答|回复)",
    ),
    _wish(
        "report-format",
        _FORMATS,
        rf"{_WANTS}{_ABOUT}reports (?:as|in) {_V}(?: format| files?)?",
        rf"{_PLEASE}(?:send|write|deliver|create|format) (?:the )?{_ABOUT}reports"
        rf" (?:as|in) {_V}(?: format| files?)?",
        rf"(?:the )?{_ABOUT}reports are (?:sent|delivered|written) (?:as|in) {_V}",
        rf"(?:the )?(?:preferred )?{_ABOUT}report format{_IS} {_V}",
        rf"{_WANTS}{_ABOUT}berichte (?:als|im) {_V}(?:-format)?",
        rf"{_ABOUT}berichte bitte als {_V}",
        rf"(?:das )?berichtsformat{_IS} {_V}",
    ),
    _wish(
        "time-zone",
        None,
        rf"{_PLEASE}use {_V} as (?:the |my )?time ?zone",
        rf"(?:my|(?:the )?user's)(?: preferred)? time ?zone{_IS} {_V}",
        rf"meine zeitzone{_IS} {_V}",
    ),
    _wish(
        "units",
        _UNITS,
        rf"{_WANTS}{_V} (?:units|einheiten)",
        rf"{_PLEASE}use {_V} units",
        r"(?:préfère|prefiere) (?:les unités|unidades) (?P<value>\S+)",
    ),
    _wish(
        "temperatures",
        _SCALES,
        rf"{_WANTS}(?:temperatures (?:in|as) )?{_V}",
        rf"{_PLEASE}(?:show|give|write) temperatures in {_V}",
    ),
    _wish(
        "tone",
        _TONES,
        rf"{_WANTS}an? {_V} tone",
        rf"{_PLEASE}(?:use|keep) an? {_V} tone",
    ),
    _wish(
        "length",
        _LENGTHS,
        rf"{_WANTS}{_V} (?:answers|responses|replies|antworten)",
        rf"{_PLEASE}give {_V} (?:answers|responses|replies)",
        rf"{_PLEASE}keep (?:answers|responses|replies) {_V}",
    ),
    _wish(
        "clock",
        _CLOCKS,
        rf"{_WANTS}(?:the |a )?{_V} (?:clock|time|format)",
        rf"{_PLEASE}use (?:the |a )?{_V} (?:clock|time|format)",
    ),
    _wish(
        "theme",
        _THEMES,
        rf"{_WANTS}(?:the |a )?{_V} (?:mode|theme)",
        rf"{_PLEASE}use (?:the |a )?{_V} (?:mode|theme)",
    ),
)
_TELLING = re.compile(
    r"answer|antwo|repl|respon|répon|respu|rispon|report|bericht|zone|unit|einheiten"
    r"|unidades|celsius|fahrenheit|tone|clock|time|format|mode|theme|language"
    r"|[回返][答信复]",
    re.IGNORECASE,
)
_WITHOUT_NAME = {
    "user": "user",
    "nutzer": "user",
    "benutzer": "user",
    "utilisateur": "user",
    "usuario": "user",
    "i": "user",
}
_GROUPS = frozenset({"users", "admin", "team", "customer", "we"})


def may_be_wish(text: str) -> bool:
    """Say whether reading a text for a wish is worth it at all."""
    return _TELLING.search(text) is not None


@lru_cache(8192)
def wish_of(text: str) -> Claim | None:
    """Return what a plain sentence says that somebody wants, or None."""
    sentence = sentence_of(text)
    if sentence is None or any(denials(token) for token in scan(sentence)):
        return None
    for wish in WISHES:
        for form in wish.forms:
            match = form.fullmatch(sentence)
            value = match and _value(wish, match["value"])
            if match and value:
                return _claim(wish, match.groupdict(), value)
    return None


def _value(wish: Wish, written: str) -> Value | None:
    if wish.values is None:
        return read_value(written, frozenset({"zone"}))
    name = wish.values.get(written.casefold())
    return Value(wish.topic, name) if name else None


def _claim(wish: Wish, said: Mapping[str, str | None], value: Value) -> Claim | None:
    """Return the claim, unless whose it is or what it is about is no plain name."""
    who = (said.get("who") or "").casefold()
    about = (said.get("about") or "").casefold()
    for token in scan(f"{who} {about}"):
        unsure = token.text in UNSURE - {"i", "we"}
        if token.kind is not TokenKind.WORD or unsure:
            return None
    holder = _WITHOUT_NAME.get(who, who)
    return Claim(
        topic=wish.topic,
        subject=f"{holder} {about}".strip(),
        value=value,
        is_unnamed=not holder or holder == "user" or holder in _GROUPS,
    )
