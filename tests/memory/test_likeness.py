"""Likeness by words: packed signs, best matches, passages without words."""

import numpy as np
import pytest

from memory.likeness import likenesses, pack

RANDOM = np.random.default_rng(7)
WORDS = RANDOM.normal(size=(6, 64)).astype(np.float32)


def test_packing_takes_a_bit_a_dimension() -> None:
    assert len(pack(WORDS)) == 6 * 8
    assert pack(WORDS[:0]) == b""


def test_a_passage_with_the_words_is_the_most_alike() -> None:
    other = RANDOM.normal(size=(50, 64)).astype(np.float32)
    same, both, none = likenesses(
        WORDS[:3], [pack(WORDS[:3]), pack(other) + pack(WORDS[:3]), pack(other)]
    )
    assert same == pytest.approx(np.sqrt(2 / np.pi), abs=0.1)
    assert both == pytest.approx(same)
    assert none is not None
    assert none < same - 0.2


def test_one_vector_against_its_signs_is_the_exact_cosine() -> None:
    signs = np.where(WORDS[0] > 0, 1, -1)
    cosine = WORDS[0] @ signs / (np.linalg.norm(WORDS[0]) * 8)
    assert likenesses(WORDS[:1], [pack(WORDS[:1])]) == [pytest.approx(cosine)]


def test_without_words_there_is_no_likeness() -> None:
    packed = pack(WORDS)
    found = likenesses(WORDS, [b"", packed, b""])
    assert found == [None, pytest.approx(likenesses(WORDS, [packed])[0]), None]
    assert likenesses(WORDS[:0], [packed]) == [None]
    assert likenesses(WORDS, []) == []
