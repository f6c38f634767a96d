"""Find the agent notes that name a person."""

import re

from accounts.models import User
from goclaw.lib.config import search_config
from memory.analysis import get_analyser
from memory.context.loading import Asked, by_ids
from memory.context.stored import Stored
from memory.lexemes import is_unspaced
from memory.models import Chunk, Memory
from memory.scopes import Scope
from memory.search.engines import get_engine
from memory.search.engines.permitted import Permitted

MOST_CANDIDATES = 200
SHORTEST = 2
"""Characters of a name that can be told from anything else."""


def notes_naming(asked: Asked, person: User, *, chars: int) -> list[Stored]:
    """Return the agent notes that name the person, oldest first.

    The keyword index gives candidates, so that it takes as long among a hundred
    thousand notes as among few; the names decide.
    """
    names = _names(person)
    if not names:
        return []
    terms = get_analyser(search_config().language).query_terms(" ".join(names))
    tokens = list(dict.fromkeys(token for term in terms for token in term.tokens))
    engine = get_engine()
    statistics = engine.statistics(tokens)
    chunks = Chunk.objects.readable_by(asked.actor).current()
    permitted = Permitted(chunks.filter(space_id=asked.spaces[Scope.AGENT_NOTES]))
    ranked = engine.keyword_chunks(permitted, statistics, MOST_CANDIDATES)
    ids = Chunk.objects.filter(pk__in=[chunk for chunk, _ in ranked])
    records = dict.fromkeys(ids.values_list("memory_id", flat=True))
    pattern = naming(person)
    whole = Memory.objects.filter(pk__in=list(records)).values_list("pk", "content")
    named = [pk for pk, content in whole if pattern.search(content)]
    found = by_ids(asked, named, chars=chars).values()
    return sorted(found, key=lambda row: (row.created_at, row.id))


def naming(person: User) -> re.Pattern[str]:
    """Return the pattern of a text that names the person.

    The user name and the full name count in any case, the first and the last name as
    they are written: "Will" is a name and "will" is none.
    """
    any_case = (person.username, person.get_full_name())
    exact = (person.first_name, person.last_name)
    return re.compile(
        "|".join(
            [f"(?i:{_word(name)})" for name in any_case if _counts(name)]
            + [_word(name) for name in exact if _counts(name)]
        )
    )


def _names(person: User) -> list[str]:
    names = (person.username, person.first_name, person.last_name)
    return [name for name in names if _counts(name)]


def _counts(name: str) -> bool:
    return len(name.strip()) >= SHORTEST


def _word(name: str) -> str:
    text = re.escape(name.strip())
    return text if is_unspaced(name) else rf"(?<!\w){text}(?!\w)"
