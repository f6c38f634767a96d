"""The one analyser: text to search tokens, for documents and queries, on every engine.

A word is found by its exact form and, a little weaker, by its form without accents and
its stem. Identifiers, versions, addresses and paths are found whole and by their parts.
Scripts that are written without spaces are found by pairs of characters. Pure.
"""

import hashlib
import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import snowballstemmer

from memory.lexemes import (
    MAX_LEXEME,
    clusters,
    is_unspaced,
    lexemes,
    pairs,
    taken_apart,
)
from memory.stopwords import ENGLISH

LANGUAGES = ("none", *snowballstemmer.algorithms())
"""Values of `memory.search.language`."""
FOLDED_WEIGHT = 0.7
STEM_WEIGHT = 0.65
COMPOUND_WEIGHT = 0.4
COMPOUND_PART_WEIGHT = 0.2

_STEMMER_OF_SCRIPT = {
    "ARABIC": "arabic",
    "ARMENIAN": "armenian",
    "CYRILLIC": "russian",
    "DEVANAGARI": "hindi",
    "GREEK": "greek",
    "TAMIL": "tamil",
}
_HIRAGANA = re.compile("[\u3040-\u309f\u30fc]+")
_LATIN_LETTERS = str.maketrans("đðøłħıŋſ", "ddolhins")
_CYRILLIC_LETTERS = {0x0451: 0x0435}  # io is mostly written as ie
_ARABIC_LETTERS = str.maketrans("أإآٱىةؤئ", "اااايهوي", "\u0640")
_MAX_WORD = 64
_MIN_COMPOUND, _MIN_COMPOUND_PART = 11, 5
_ENDING = re.compile(r"(?<=.{5})(?:e[nmrs]|ern|[ens])$")
_CACHED_LEXEMES = 100_000


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One thing asked for: a word, an identifier, or a pair of unspaced characters.

    Any of `forms`, (token, weight) with the best first, speaks for the term in a text;
    one of at least COMPOUND_WEIGHT shows it, and all `parts` of an identifier together
    do. `stop` marks a word without a subject.
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
    """Cuts texts into tokens; `language` names Latin script's stemmer, or is `none`."""

    def __init__(self, language: str = "english") -> None:
        if language not in LANGUAGES:
            raise ValueError(f"unknown language {language!r}")
        self.language = language
        self._stop_words = ENGLISH if language == "english" else frozenset[str]()
        self._known: dict[str, tuple[str, ...]] = {}

    def tokens(self, text: str) -> list[str]:
        """Return the tokens by which a document is found, in the order of the text."""
        found: list[str] = []
        known = self._known
        for lexeme in lexemes(text):
            found.extend(known.get(lexeme) or self.lexeme_tokens(lexeme))
        return found

    def lexeme_tokens(self, lexeme: str) -> tuple[str, ...]:
        """Return the tokens of one word, identifier or unspaced run."""
        tokens = self._known.get(lexeme)
        if tokens is None:
            tokens = tuple(dict.fromkeys(self._document_tokens(lexeme)))
            if len(self._known) >= _CACHED_LEXEMES:
                self._known.clear()
            self._known[lexeme] = tokens
        return tokens

    def query_terms(self, text: str) -> list[QueryTerm]:
        """Return the distinct terms of a query: without stop words, unless all are."""
        terms = {
            term.text: term
            for lexeme in lexemes(text)
            for term in self._lexeme_terms(lexeme)
        }
        kept = [term for term in terms.values() if not term.stop]
        return kept or list(terms.values())

    # --- documents ---

    def _document_tokens(self, lexeme: str) -> Iterator[str]:
        if is_unspaced(lexeme):
            run = clusters(lexeme)
            yield from run
            yield from pairs(run)
            return
        wholes, words = taken_apart(lexeme)
        yield from wholes
        for word in dict.fromkeys(words):
            exact, folded, stem = self._forms(word)
            yield from (stem, folded, exact)
            for head, tail in _compound_parts(folded):
                yield f"{head}-"
                yield f"-{tail}"

    def _forms(self, word: str) -> tuple[str, str, str]:
        """Return a word as written (but for case), without accents, and its stem."""
        exact = word.casefold()[:_MAX_WORD]
        script = _script(exact)
        folded = _folded(exact, script)
        if self.language == "none":
            return exact, folded, folded
        latin = self.language if script == "LATIN" else ""
        stemmer = _STEMMER_OF_SCRIPT.get(script, latin)
        return exact, folded, _stem(stemmer, folded) if stemmer else folded

    # --- queries ---

    def _lexeme_terms(self, lexeme: str) -> Iterator[QueryTerm]:
        if is_unspaced(lexeme):
            run = clusters(lexeme)
            for gram in pairs(run) if len(run) > 1 else run:
                # Kana alone are mostly endings and particles.
                stop = _HIRAGANA.fullmatch(gram) is not None
                yield QueryTerm(gram, ((gram, 1.0),), stop=stop)
            return
        wholes, words = taken_apart(lexeme)
        yield (
            self._identifier_term(wholes, words)
            if wholes
            else self._word_term(words[0])
        )

    def _identifier_term(self, wholes: list[str], words: list[str]) -> QueryTerm:
        whole, *others = wholes
        forms = [(whole, 1.0)]
        forms += [(other, STEM_WEIGHT) for other in others if whole == f"v{other}"]
        words = list(dict.fromkeys(words))
        folded = [word.casefold() for word in words]
        return QueryTerm(
            text=whole,
            forms=tuple(forms),
            parts=tuple(dict.fromkeys(self._forms(word)[2] for word in words)),
            stop=whole in self._stop_words or self._stop_words.issuperset(folded),
        )

    def _word_term(self, word: str) -> QueryTerm:
        exact, folded, stem = self._forms(word)
        weights: dict[str, float] = {}
        if folded.isalpha() and len(folded) >= _MIN_COMPOUND_PART:
            part = _bare(folded)
            weights |= {f"{part}-": COMPOUND_WEIGHT, f"-{part}": COMPOUND_WEIGHT}
        parts = {part for both in _compound_parts(folded) for part in both}
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
    if len(encoded) > 2 * MAX_LEXEME:
        return "zzz" + hashlib.blake2b(encoded, digest_size=20).hexdigest()
    return "zz" + encoded.hex()


def fts_text(tokens: Iterable[str]) -> str:
    """Return tokens as the text that an engine indexes."""
    return " ".join(map(fts_token, tokens))


def _compound_parts(word: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to read a long word as two joined ones (Datenbank-sicherung)."""
    if _MIN_COMPOUND <= len(word) <= _MAX_WORD and word.isalpha():
        for cut in range(_MIN_COMPOUND_PART, len(word) - _MIN_COMPOUND_PART + 1):
            yield _bare(word[:cut]), _bare(word[cut:])


def _bare(part: str) -> str:
    """Return a part of a compound without its ending or what joins it to the next.

    So Abrechnung is found in Reisekostenabrechnungen and in Abrechnungsstelle.
    """
    return _ENDING.sub("", part) if len(part) > _MIN_COMPOUND_PART else part


def _script(word: str) -> str:
    """Return the script of a word as Unicode names it: LATIN, CYRILLIC, ..."""
    if word.isascii():
        return "LATIN"
    letter = next((char for char in word if char.isalpha()), "")
    return unicodedata.name(letter, "").partition(" ")[0] if letter else ""


def _folded(word: str, script: str) -> str:
    """Return a word without the marks that people leave out."""
    if word.isascii():
        return word
    if script == "CYRILLIC":
        return word.translate(_CYRILLIC_LETTERS)
    if script not in {"ARABIC", "HEBREW", "LATIN", "GREEK"}:
        return word
    word = word.translate(_ARABIC_LETTERS if script == "ARABIC" else _LATIN_LETTERS)
    apart = unicodedata.normalize("NFD", word)
    return "".join(char for char in apart if unicodedata.category(char) != "Mn")


class _Stemmers(threading.local):
    """A thread's own: a stemmer keeps the word it works on in itself."""

    def __init__(self) -> None:
        self.by_language: dict[str, snowballstemmer.stemmer] = {}


_stemmers = _Stemmers()


@lru_cache(_CACHED_LEXEMES)
def _stem(language: str, word: str) -> str:
    known = _stemmers.by_language
    if language not in known:
        known[language] = snowballstemmer.stemmer(language)
    return str(known[language].stemWord(word))
