"""From features to an order: fusion, relevance, evidence, decay, diversity. Pure."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.search.features import Candidate

DECAY_FLOOR = 0.4
ENOUGH_COVERAGE = 0.5
"""Share of the query's terms that is evidence by itself."""
COSINE_ALONE, TOGETHER = 0.85, 1.1
VECTOR_ARMS = frozenset(
    {"similarity", "window_similarity", "likeness", "window_likeness"}
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How to fuse and what to leave out.

    `min_similarity` is the cosine that is evidence by itself; None accepts any, a
    negative number turns the test of evidence off. `min_score` is compared with the
    relevance before decay.
    """

    fusion: str
    rrf_constant: float
    vector_weight: float
    keyword_weight: float
    min_score: float
    min_similarity: float | None
    max_per_record: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate in its place. `relevance` and `score` (after decay) are in 0..1."""

    id: int
    relevance: float
    score: float
    parts: Mapping[str, float | None]


def rank(candidates: Sequence[Candidate], rules: Rules, limit: int) -> list[Ranked]:
    """Return the best candidates: the first k of more are those of a limit of k.

    The order is that of the fused values, squared before decay takes its part, so that
    recency settles what is close and never bridges a clear gap. Who asks for an
    identifier means it: what has it comes before what only looks like it, however old.
    No score is above the one before it.
    """
    fused = _with_identifiers(fuse(candidates, rules), candidates)
    kept = [
        (share * share * candidate.decay, relevance, share, candidate)
        for candidate, share, relevance in zip(
            candidates, fused.tolist(), relevances(candidates, fused), strict=True
        )
        if relevance >= rules.min_score and has_evidence(candidate, rules)
    ]
    kept.sort(key=lambda row: (-row[3].identifiers, -row[0], -row[1], row[3].id))
    ranked: list[Ranked] = []
    records: Counter[int] = Counter()
    texts: set[str] = set()
    score = 1.0
    for _, relevance, share, candidate in kept:
        if len(ranked) == limit:
            break
        full = records[candidate.record] >= rules.max_per_record
        if full or candidate.text_hash in texts:
            continue
        records[candidate.record] += 1
        texts.add(candidate.text_hash)
        score = min(score, relevance * candidate.decay)
        parts = _parts(candidate, share, relevance)
        ranked.append(Ranked(candidate.id, relevance, score, parts))
    return ranked


def _parts(
    candidate: Candidate, fused: float, relevance: float
) -> dict[str, float | None]:
    return {
        "relevance": relevance,
        "fused": fused,
        "similarity": candidate.cosine,
        "keyword": candidate.idf_share,
        "decay": candidate.decay,
    }


def _with_identifiers(fused: Floats, candidates: Sequence[Candidate]) -> Floats:
    """Return the fused values, half of each for having the identifiers, if any has."""
    shares = np.array([candidate.identifiers for candidate in candidates])
    return (fused + shares) / 2 if shares.any() else fused


# --- evidence ------------------------------------------------------------------------


def relevances(candidates: Sequence[Candidate], fused: Floats) -> list[float]:
    """Return the relevance of each candidate, never above its evidence.

    The best-fused candidate is as relevant as its words and its cosine agree it is, the
    others in proportion: a question without an answer has no relevant candidate,
    however well one compares with the rest.
    """
    if not candidates:
        return []
    agreed = np.array([agreement(candidate) for candidate in candidates])
    shown = np.array([evidence(candidate) for candidate in candidates])
    scale = agreed[fused >= fused.max()].max()
    limited: list[float] = np.minimum(fused * scale, shown).tolist()
    return limited


def agreement(candidate: Candidate) -> float:
    """Return how far words and cosine together say that it answers, 0..1.

    Among many texts one has some word of any question, and another a like vector. So
    either alone counts less than both; measured, see docs/search.md.
    """
    share = candidate.idf_share
    if candidate.cosine is None:
        return share
    cosine = max(candidate.cosine, 0.0)
    return min(max(COSINE_ALONE * cosine, TOGETHER * (cosine + share) / 2), 1.0)


def evidence(candidate: Candidate) -> float:
    """Return the larger of the cosine and the share of the query's terms, 0..1."""
    return min(max(candidate.cosine or 0.0, candidate.idf_share, 0.0), 1.0)


def has_evidence(candidate: Candidate, rules: Rules) -> bool:
    """Say whether a candidate may be shown at all, however well it compares."""
    floor = rules.min_similarity
    if floor is not None and floor < 0:
        return True
    if candidate.coverage >= ENOUGH_COVERAGE:
        return True
    return candidate.cosine is not None and candidate.cosine >= (floor or 0.0)


# --- fusion --------------------------------------------------------------------------


def fuse(candidates: Sequence[Candidate], rules: Rules) -> Floats:
    """Return for each candidate its fused value over the best possible one, 0..1."""
    if not candidates:
        return np.zeros(0)
    names = list(candidates[0].arms)
    if not names:
        return np.zeros(len(candidates))
    arms = np.array([[c.arms[name] for name in names] for c in candidates])
    weights = np.array(
        [
            rules.vector_weight if name in VECTOR_ARMS else rules.keyword_weight
            for name in names
        ]
    )
    fusions: dict[str, Callable[[Floats], Floats]] = {
        "rrf": lambda values: _rrf(values, rules.rrf_constant),
        "weighted": lambda values: _weighted(values, weights),
        "zscore": _zscore,
    }
    return np.clip(fusions[rules.fusion](arms), 0.0, 1.0)


def _rrf(arms: Floats, constant: float) -> Floats:
    """Reciprocal rank fusion (Cormack et al., 2009); equal values share a rank."""
    ranks = 1 + (arms[:, None, :] < arms[None, :, :]).sum(axis=1)
    best = arms.shape[1] / (constant + 1)
    shown: Floats = np.where(arms > 0, 1 / (constant + ranks), 0).sum(axis=1) / best
    return shown


def _weighted(arms: Floats, weights: Floats) -> Floats:
    """Sum of the arms over their best values, by weight."""
    tops = arms.max(axis=0)
    usable = (tops > 0) & (weights > 0)
    if not usable.any():
        return np.zeros(len(arms))
    shares = np.clip(arms[:, usable], 0, None) / tops[usable]
    fused: Floats = shares @ weights[usable] / weights[usable].sum()
    return fused


def _zscore(arms: Floats) -> Floats:
    """Sum of the arms' standard scores over that of a candidate best in all of them.

    Counted from an arm's zero instead of its mean, which moves all sums alike
    and leaves the order as it is, so that what is below the mean keeps its share.
    """
    spread = arms.std(axis=0)
    usable = spread > 1e-9
    scores = arms[:, usable] / spread[usable] if usable.any() else arms
    scores = np.clip(scores, 0, None)
    best = scores.max(axis=0).sum()
    fused: Floats = scores.sum(axis=1) / best if best > 0 else scores.sum(axis=1)
    return fused


# --- decay ---------------------------------------------------------------------------


def decay_factor(
    kind: str, age_days: float, half_lives: Mapping[str, float], *, critical: bool
) -> float:
    """Return what age leaves: max(0.4, 2^(-age / half-life)); 1 for what stays true."""
    half_life = half_lives.get(kind)
    if half_life is None or critical or age_days <= 0:
        return 1.0
    exponent = -age_days / half_life
    return max(DECAY_FLOOR, 2.0**exponent if exponent > -1000 else 0.0)
