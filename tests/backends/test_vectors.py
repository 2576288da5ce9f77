"""Coarse vectors and cosines on stored bytes."""

from __future__ import annotations

import math
import struct
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_memory.records import Vector
from lean_memory.vectors import COARSE_DIM, coarse, cosine, normalised, pack, unpack

floats = st.floats(-1, 1, width=32)
directions = st.lists(floats, min_size=2, max_size=32).filter(lambda v: max(map(abs, v)) > 1e-3)


def vector(values: list[float]) -> Vector:
    return Vector("any", len(values), pack(values))


@given(st.lists(floats))
def test_packed_floats_are_little_endian_float32(values: list[float]) -> None:
    assert pack(values) == struct.pack(f"<{len(values)}f", *values)
    assert unpack(pack(values)).tolist() == values


@given(directions)
def test_normalised_has_length_one_and_the_same_direction(values: list[float]) -> None:
    unit = unpack(normalised(values))
    assert math.hypot(*unit) == pytest.approx(1, abs=1e-5)
    assert cosine(normalised(values), pack(values)) == pytest.approx(1, abs=1e-5)


@given(directions, st.integers(1, 40))
def test_coarse_is_the_prefix_at_length_one(values: list[float], dims: int) -> None:
    data = coarse(vector(values), dims)
    if dims >= len(values):
        assert data == pack(values)
    else:
        assert data == normalised(values[:dims])


def test_coarse_takes_256_of_384_dimensions_by_default() -> None:
    data = coarse(vector([1.0] * 384))
    assert len(data) == 4 * COARSE_DIM == 1024
    assert set(unpack(data)) == {1 / 16}


def test_the_zero_vector_stays_zero_and_is_near_nothing() -> None:
    zero = normalised([0.0] * 3)
    assert list(unpack(zero)) == [0, 0, 0]
    assert cosine(zero, pack([1, 0, 0])) == 0


@given(directions)
def test_cosine_of_a_vector_with_itself_is_one_and_with_its_opposite_minus_one(values: list[float]) -> None:
    assert cosine(pack(values), pack(values)) == pytest.approx(1)
    assert cosine(pack(values), pack([-x for x in values])) == pytest.approx(-1)


def test_cosine_knows_right_angles_and_sixty_degrees() -> None:
    assert cosine(pack([1, 0]), pack([0, 1])) == 0
    assert cosine(pack([1, 0]), pack([1, math.sqrt(3)])) == pytest.approx(0.5)


def test_vectors_of_two_models_can_not_be_compared() -> None:
    with pytest.raises(ValueError, match="64 and 384"):
        cosine(pack([0.0] * 64), pack([0.0] * 384))


def test_no_heavy_library_is_loaded() -> None:
    program = "import sys, lean_memory.vectors; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"
