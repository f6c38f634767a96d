"""The one analyser: text to search tokens, for documents and queries, on every engine.

A word is found by its exact form and, a little weaker, by its form without accents and
its stem. Identifiers, versions, addresses and paths are found whole and by their parts.
Scripts that are written without spaces are found by pairs of characters. Pure.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import snowballstemmer

from memory.stopwords import ENGLISH

LANGUAGES = ("none", *snowballstemmer.algorithms())
"""Values of `memory.search.language`."""

_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\uaa60-\uaa7f"  # Thai to Khmer
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff"  # Hangul
    "\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff"  # kana, bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_MARKS = "".join(
    chr(point)
    for point in range(0x300, 0x1E000)
    if unicodedata.category(chr(point))[0] == "M"
)
_LETTER = rf"[^\W{_UNSPACED}]"
_WORD = rf"{_LETTER}(?:{_LETTER}|[{_MARKS}\u200c\u200d\u0640])*"


def _identifier(word: str) -> str:
    """Return the pattern of words joined by punctuation: paths, versions, C++, don't."""
    return rf"{word}(?:(?:\+\+|\#)(?!\w)|(?:[.\-/:@'+\#&=\\~%]{{1,3}}{word})*)"


_ASCII_LEXEME = re.compile(_identifier(r"\w+"), re.ASCII)
_LEXEME = re.compile(
    rf"[{_UNSPACED}][{_UNSPACED}{_MARKS}]*|{_identifier(_WORD)}"
    "|[\u2600-\u27bf\U0001f000-\U0001faff]"
)
_UNSPACED_START = re.compile(f"[{_UNSPACED}]")
_CLUSTER = re.compile(rf"[^{_MARKS}][{_MARKS}]*|[{_MARKS}]+")
_HIRAGANA = re.compile("[\u3040-\u309f\u30fc]+")
_CLITIC = re.compile(r"'(?:s|m|d|re|ve|ll)$")
_SEPARATORS = (r"[@:/\\=&~%\#+]+", r"-+", r"\.+", r"['_]+")
_VERSION = re.compile(r"v(?=\d)", re.IGNORECASE)
_CASES = re.compile(
    r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^A-Za-z\d]+"  # HTTPServer, getUserName, sha256
)
_STEMMER_OF_SCRIPT = {
    "ARABIC": "arabic",
    "ARMENIAN": "armenian",
    "CYRILLIC": "russian",
    "DEVANAGARI": "hindi",
    "GREEK": "greek",
    "TAMIL": "tamil",
}
_LATIN_LETTERS = str.maketrans("đðøłħıŋſ", "ddolhins")
_ARABIC_LETTERS = str.maketrans("أإآٱىةؤئ", "اااايهوي", "\u0640")
_MAX_LEXEME = 200
_MAX_WORD = 64
_CACHED_LEXEMES = 100_000
_MIN_COMPOUND, _MIN_COMPOUND_PART = 11, 5
FOLDED_WEIGHT, STEM_WEIGHT, COMPOUND_WEIGHT, COMPOUND_PART_WEIGHT = 0.95, 0.9, 0.4, 0.2


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One thing asked for: a word, an identifier, or a pair of unspaced characters.

    Any of `forms`, (token, weight) with the best first, speaks for the term in a text; one
    of at least COMPOUND_WEIGHT shows it, and for an identifier all `parts` together do.
    `stop` marks a word without a subject.
    """

    text: str
    forms: tuple[tuple[str, float], ...]
    parts: tuple[str, ...] = ()
    stop: bool = False

    @property
    def tokens(self) -> tuple[str, ...]:
        """Return every token by which the term may be found, without repeats."""
        return tuple(dict.fromkeys([form for form, _ in self.forms] + [*self.parts]))


class Analyser:
    """Cuts texts into tokens; `language` names the stemmer of Latin script, or `none`."""

    def __init__(self, language: str = "english") -> None:
        if language not in LANGUAGES:
            raise ValueError(f"unknown language {language!r}")
        self.language = language
        self._stop_words = ENGLISH if language == "english" else frozenset[str]()
        self._lexemes: dict[str, tuple[str, ...]] = {}

    def tokens(self, text: str) -> list[str]:
        """Return the tokens by which a document is found, in the order of the text."""
        found: list[str] = []
        known = self._lexemes
        for lexeme in _lexemes(text):
            tokens = known.get(lexeme)
            if tokens is None:
                tokens = tuple(dict.fromkeys(self._document_tokens(lexeme)))
                if len(known) >= _CACHED_LEXEMES:
                    known.clear()
                known[lexeme] = tokens
            found.extend(tokens)
        return found

    def query_terms(self, text: str) -> list[QueryTerm]:
        """Return the distinct terms of a query: without stop words, unless all are."""
        terms = {
            term.text: term
            for lexeme in _lexemes(text)
            for term in self._lexeme_terms(lexeme)
        }
        kept = [term for term in terms.values() if not term.stop]
        return kept or list(terms.values())

    # --- documents ---

    def _document_tokens(self, lexeme: str) -> Iterator[str]:
        if _UNSPACED_START.match(lexeme):
            clusters = _CLUSTER.findall(lexeme)
            yield from clusters
            yield from _pairs(clusters)
            return
        lexeme = _without_clitic(lexeme)
        wholes, words = _taken_apart(lexeme)
        yield from wholes
        for word in words:
            yield from self._word_tokens(word)

    def _word_tokens(self, word: str) -> Iterator[str]:
        exact, folded, stem = self._forms(word)
        yield from (stem, folded, exact)
        if _is_compound(folded):
            for head, tail in _compound_parts(folded):
                yield f"{head}-"
                yield f"-{tail}"

    def _forms(self, word: str) -> tuple[str, str, str]:
        """Return a word as written (but for case), without accents, and its stem."""
        exact = word.casefold()
        if len(exact) > _MAX_WORD:
            exact = exact[:_MAX_WORD]
        script = _script(exact)
        folded = _folded(exact, script)
        if self.language == "none":
            return exact, folded, folded
        name = _STEMMER_OF_SCRIPT.get(
            script, self.language if script == "LATIN" else ""
        )
        return exact, folded, _stem(name, folded) if name else folded

    # --- queries ---

    def _lexeme_terms(self, lexeme: str) -> Iterator[QueryTerm]:
        if _UNSPACED_START.match(lexeme):
            clusters = _CLUSTER.findall(lexeme)
            for gram in _pairs(clusters) if len(clusters) > 1 else clusters:
                stop = _HIRAGANA.fullmatch(gram) is not None
                yield QueryTerm(gram, ((gram, 1.0),), stop=stop)
            return
        lexeme = _without_clitic(lexeme)
        wholes, words = _taken_apart(lexeme)
        if not wholes:
            yield self._word_term(words[0])
            return
        folded = lexeme.casefold()
        stop = folded in self._stop_words or all(
            word.casefold() in self._stop_words for word in words
        )
        forms = [(folded, 1.0)]
        forms += [(whole, STEM_WEIGHT) for whole in wholes if folded == f"v{whole}"]
        parts = tuple(dict.fromkeys(self._forms(word)[2] for word in words))
        yield QueryTerm(folded, tuple(forms), parts, stop)

    def _word_term(self, word: str) -> QueryTerm:
        exact, folded, stem = self._forms(word)
        weights: dict[str, float] = {}
        if folded.isalpha() and len(folded) >= _MIN_COMPOUND_PART:
            weights |= {f"{folded}-": COMPOUND_WEIGHT, f"-{folded}": COMPOUND_WEIGHT}
        if _is_compound(folded):
            parts = {part for pair in _compound_parts(folded) for part in pair}
            weights |= dict.fromkeys(sorted(parts), COMPOUND_PART_WEIGHT)
        weights |= {stem: STEM_WEIGHT} | {folded: FOLDED_WEIGHT} | {exact: 1.0}
        forms = sorted(weights.items(), key=lambda form: -form[1])
        return QueryTerm(exact, tuple(forms), stop=exact in self._stop_words)


@cache
def get_analyser(language: str) -> Analyser:
    """Return the analyser of a language; it remembers the words it has met."""
    return Analyser(language)


def fts_token(token: str) -> str:
    """Return a token as one word of lower-case ASCII letters and digits.

    Distinct tokens give distinct words, so any engine that splits at other characters
    (FTS5's `ascii`, PostgreSQL's `simple`) indexes exactly our tokens.
    """
    if token.isascii() and token.isalnum() and not token.startswith("zz"):
        return token
    encoded = token.encode("utf-8", "surrogatepass")
    if len(encoded) > 2 * _MAX_LEXEME:
        return "zzz" + hashlib.blake2b(encoded, digest_size=20).hexdigest()
    return "zz" + encoded.hex()


def fts_text(tokens: Iterable[str]) -> str:
    """Return tokens as the text that an engine indexes."""
    return " ".join(map(fts_token, tokens))


# --- parts of the analyser -------------------------------------------------------------


def _lexemes(text: str) -> Iterator[str]:
    if text.isascii():
        return (match[0] for match in _ASCII_LEXEME.finditer(text))
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    return (match[0] for match in _LEXEME.finditer(text))


def _without_clitic(lexeme: str) -> str:
    return _CLITIC.sub("", lexeme) if "'" in lexeme else lexeme


def _pairs(clusters: list[str]) -> list[str]:
    return [a + b for a, b in zip(clusters, clusters[1:], strict=False)]


def _taken_apart(lexeme: str) -> tuple[list[str], list[str]]:
    """Return an identifier's wholes (itself, its path segments, ...) and its words."""
    if lexeme.isalpha() and (lexeme[1:].islower() or lexeme.isupper()):
        return [], [lexeme]
    wholes: dict[str, None] = {}
    parts = [lexeme]
    if _VERSION.match(lexeme):
        parts.append(lexeme[1:])
    for separator in _SEPARATORS:
        for part in parts:
            wholes[part.casefold()] = None
        parts = [bit for part in parts for bit in re.split(separator, part) if bit]
    words = []
    for part in parts:
        cases = _CASES.findall(part) if part.isascii() else [part]
        if len(cases) > 1:
            wholes[part.casefold()] = None
        words += cases
    if len(words) == 1 and words[0] == lexeme:
        return [], words
    return [whole for whole in wholes if len(whole) <= _MAX_LEXEME], words


def _is_compound(word: str) -> bool:
    return _MIN_COMPOUND <= len(word) <= _MAX_WORD and word.isalpha()


def _compound_parts(word: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to read a long word as two joined ones (Datenbank-sicherung)."""
    for cut in range(_MIN_COMPOUND_PART, len(word) - _MIN_COMPOUND_PART + 1):
        yield word[:cut], word[cut:]


def _script(word: str) -> str:
    if word.isascii():
        return "LATIN"
    for char in word:
        if char.isalpha():
            return unicodedata.name(char, "").partition(" ")[0]
    return ""


def _folded(word: str, script: str) -> str:
    """Return a word without the marks that people leave out."""
    if word.isascii():
        return word
    if script == "CYRILLIC":
        return word.replace("ё", "е")
    if script == "ARABIC":
        word = word.translate(_ARABIC_LETTERS)
    if script in {"ARABIC", "HEBREW", "LATIN", "GREEK"}:
        apart = unicodedata.normalize("NFD", word.translate(_LATIN_LETTERS))
        return "".join(c for c in apart if unicodedata.category(c) != "Mn")
    return word


@cache
def _stemmer(language: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(language)


def _stem(language: str, word: str) -> str:
    return str(_stemmer(language).stemWord(word))
