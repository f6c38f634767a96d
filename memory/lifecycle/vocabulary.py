"""Words of several languages that say when, how many, not, perhaps, or nothing."""

from collections.abc import Iterable


def words(text: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(text.split())


def _numbered(lines: Iterable[str], first: int = 1) -> dict[str, int]:
    """Return the number of each word: one line a number, its words in any language."""
    return {
        word: number
        for number, line in enumerate(lines, first)
        for word in line.split()
    }


MONTHS = _numbered(
    (
        "january jan januar jänner janvier enero gennaio janeiro januari stycznia",
        "february feb februar février febrero febbraio fevereiro februari lutego",
        "march mar märz mars marzo março maart marca",
        "april apr avril abril aprile kwietnia",
        "may mai mayo maggio maio mei maja",
        "june jun juni juin junio giugno junho czerwca",
        "july jul juli juillet julio luglio julho lipca",
        "august aug août agosto augustus augusti sierpnia",
        "september sep sept septembre septiembre settembre setembro września",
        "october oct oktober okt octobre octubre ottobre outubro października",
        "november nov novembre noviembre novembro listopada",
        "december dec dezember dez décembre diciembre dicembre dezembro grudnia",
    )
)
WEEKDAYS = _numbered(
    (
        "monday mondays mon montag montags lundi lunes lunedì segunda-feira maandag",
        "tuesday tuesdays tue dienstag dienstags mardi martes martedì dinsdag",
        "wednesday wednesdays wed mittwoch mittwochs mercredi miércoles mercoledì"
        " woensdag",
        "thursday thursdays thu donnerstag donnerstags jeudi jueves giovedì donderdag",
        "friday fridays fri freitag freitags vendredi viernes venerdì vrijdag",
        "saturday saturdays sat samstag samstags sonnabend samedi sábado sabato"
        " zaterdag",
        "sunday sundays sun sonntag sonntags dimanche domingo domenica zondag",
    )
)
NUMBER_WORDS = _numbered(
    (
        "zero null zéro cero nul",
        "one eins uno",
        "two zwei deux dos due dois duas twee dwa два две",
        "three drei trois tres tre três drie trzy три",
        "four vier quatre cuatro quattro quatro cztery четыре",
        "five fünf cinq cinco cinque vijf pięć пять",
        "six sechs seis sei zes sześć шесть",
        "seven sieben sept siete sette sete zeven siedem семь",
        "eight acht huit ocho otto oito osiem восемь",
        "nine neun neuf nueve nove negen dziewięć девять",
        "ten zehn dix diez dieci dez tien dziesięć десять",
        "eleven elf onze once undici",
        "twelve zwölf douze doce dodici doze twaalf",
    ),
    first=0,
) | {
    "fifteen": 15,
    "twenty": 20,
    "zwanzig": 20,
    "vingt": 20,
    "thirty": 30,
    "dreißig": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
    "hundred": 100,
    "hundert": 100,
    "thousand": 1000,
    "tausend": 1000,
    "million": 1_000_000,
}

UNITS = {
    alias: unit
    for unit, aliases in {
        "ms": "ms msec millisecond milliseconds millisekunden",
        "s": "s sec secs second seconds sekunde sekunden secondes segundos",
        "min": "min mins minute minutes minuten minutos",
        "h": "h hr hrs hour hours stunde stunden heure heures hora horas",
        "day": "day days tag tage tagen jour jours día días dias giorni",
        "week": "week weeks woche wochen semaine semaines semana semanas",
        "month": "month months monat monate monaten mois mes meses",
        "year": "year years jahr jahre jahren an ans année années año años",
        "%": "% percent prozent",
        "b": "b byte bytes",
        "kb": "kb kilobyte kilobytes",
        "kib": "kib",
        "mb": "mb megabyte megabytes",
        "mib": "mib",
        "gb": "gb gigabyte gigabytes",
        "gib": "gib",
        "tb": "tb terabyte terabytes",
        "tib": "tib",
        "eur": "eur euro euros €",
        "usd": "usd dollar dollars $",
        "gbp": "gbp £",
        "hz": "hz",
        "khz": "khz",
        "mhz": "mhz",
        "ghz": "ghz",
        "mm": "mm",
        "cm": "cm",
        "m": "m meter meters metre metres",
        "km": "km kilometer kilometers kilometre kilometres",
        "g": "g gram grams gramm",
        "kg": "kg kilogram kilograms",
        "°c": "°c celsius",
        "°f": "°f fahrenheit",
        "px": "px pixel pixels",
        "k": "k",
    }.items()
    for alias in aliases.split()
}

NEGATIONS = words(
    """
    not no never none nobody nothing nowhere neither nor cannot without
    nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder
    ne pas jamais aucun aucune sans ni rien personne
    nunca jamás sin ningún ninguna ninguno nada
    non mai senza nessun nessuna nessuno niente
    não sem nenhum nenhuma
    niet geen nooit zonder
    nie bez inte ej aldrig ingen inget utan ikke aldri uten uden
    не нет никогда без нельзя ні немає
    değil yok hiç
    لا ليس لم لن غير بدون
    नहीं मत
    """
)
NEGATED_RUNS = (
    "不",
    "没",
    "沒",
    "無",
    "无",
    "未",
    "勿",
    "非",
    "否",
    "ない",
    "ません",
    "なかっ",
    "않",
    "못",
    "없",
    "아니",
    "안 ",
)
"""What denies in scripts that are written without spaces."""

EMPTY = words(
    """
    a an the this that these those is are am be been being it its there here
    please also just now currently so then well our my your their
    der die das den dem des ein eine einen einem einer eines ist sind es bitte auch
    jetzt derzeit aktuell
    le la les un une des est sont il elle ce cette aussi maintenant
    el los las unos unas es son está están este esta también ahora
    lo gli i uno è sono anche ora
    o os um uma é são está também agora
    het een zijn ook nu
    """
)
"""Words that may come and go without a change of what is said."""

OPENERS = words(
    """
    prefers prefer wants want uses use likes like needs need always remember note keep
    write send reply answer respond do make set run runs deploy when if after before
    every each all use user users see check ask tell give show put let call open start
    in on at by for from with to of and or as since during per
    immer bei mit von zu auf nach für und wenn bitte nutzt nutze
    toujours avec pour dans quand siempre con para cuando
    """
)
"""Words that are written with a capital only because a sentence begins with them."""
SYNONYMS = {
    "each": "every",
    "around": "about",
    "approximately": "about",
    "roughly": "about",
    "circa": "about",
    "begins": "start",
    "begin": "start",
    "beginning": "start",
    "via": "by",
    "ungefähr": "etwa",
    "zirka": "etwa",
    "jeder": "jede",
    "jeden": "jede",
    "jedes": "jede",
}
"""Words that mean the same wherever they stand; roots as `sameness` makes them."""
