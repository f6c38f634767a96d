"""The rules of ranking that tests change one by one."""

from memory.search.ranking import Rules

RULES = Rules(
    fusion="zscore",
    rrf_constant=10,
    vector_weight=0.7,
    keyword_weight=0.3,
    min_score=0.0,
    min_similarity=-1,
    max_per_record=50,
)
