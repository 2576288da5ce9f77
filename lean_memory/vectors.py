"""Arithmetic on stored vectors: bytes of little-endian float32. No numpy, so that a store loads none."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable, Sequence
from operator import mul

from lean_memory.records import Vector

__all__ = ["COARSE_DIM", "coarse", "cosine", "normalised", "pack", "signs", "unpack"]

COARSE_DIM = 256

_SIGNS = b"1" * 128 + b"0" * 128  # of the byte that holds a float's sign, as a binary digit


def unpack(data: bytes) -> array[float]:
    """The floats of a vector's `data`."""
    floats = array("f")
    floats.frombytes(data)
    if sys.byteorder == "big":
        floats.byteswap()
    return floats


def pack(floats: Iterable[float]) -> bytes:
    """Little-endian float32 of `floats`, as they are."""
    packed = array("f", floats)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def normalised(floats: Sequence[float]) -> bytes:
    """`floats` at length 1, packed. The zero vector has no direction and stays zero."""
    norm = math.sqrt(_dot(floats, floats))
    if not norm:
        return pack(floats)
    return pack(map((1.0 / norm).__mul__, floats))


def coarse(vector: Vector, dims: int = COARSE_DIM) -> bytes:
    """The first `dims` dimensions at length 1 (a Matryoshka prefix, arXiv:2205.13147), for a first, cheap KNN.

    A vector of no more than `dims` dimensions is its own coarse vector.
    """
    if vector.dim <= dims:
        return vector.data
    return normalised(unpack(vector.data[: 4 * dims]))


def signs(vector: Vector) -> bytes:
    """A bit a dimension, set where it is not negative. Only their number of differences has a meaning.

    Raises:
        ValueError: the dimension is not a multiple of eight.
    """
    if vector.dim % 8:
        raise ValueError(f"{vector.dim} signs don't fill whole bytes")
    return int(vector.data[3::4].translate(_SIGNS), 2).to_bytes(vector.dim // 8, "big")


def cosine(a: bytes, b: bytes) -> float:
    """Cosine similarity of two vectors of one dimension, in [-1, 1]; 0 if one of them is zero.

    Raises:
        ValueError: their dimensions differ.
    """
    if len(a) != len(b):
        raise ValueError(f"vectors of {len(a) // 4} and {len(b) // 4} dimensions can't be compared")
    x, y = unpack(a), unpack(b)
    norms = math.sqrt(_dot(x, x) * _dot(y, y))
    return max(-1.0, min(1.0, _dot(x, y) / norms)) if norms else 0.0


def _dot(x: Sequence[float], y: Sequence[float]) -> float:
    total: float = sum(map(mul, x, y))
    return total
