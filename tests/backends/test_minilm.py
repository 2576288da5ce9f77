"""The default embedder understands meaning, reads a text to its end, and gives a text the same vector anywhere."""

from __future__ import annotations

import hashlib
import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lean_memory.backends import minilm as module
from lean_memory.backends.minilm import MiniLM
from lean_memory.errors import BackendUnavailable
from lean_memory.vectors import cosine, unpack


def similarity(model: MiniLM, a: str, b: str) -> float:
    one, other = model.embed([a, b])
    return cosine(one.data, other.data)


# ---------------------------------------------------------------------------------------------- meaning


@pytest.mark.parametrize(
    ("text", "paraphrase", "unrelated"),
    [
        ("Where does Anna work?", "Anna is employed by a bakery.", "The train to Bergen leaves at nine."),
        ("I can't eat peanuts.", "I have a nut allergy.", "I bought a new bicycle."),
        ("Our cat is ill.", "The pet has to see a vet.", "The budget for March is approved."),
        ("When is the deadline?", "The report is due on Friday.", "Tom plays the violin."),
    ],
)
def test_a_paraphrase_is_nearer_than_an_unrelated_text(
    minilm: MiniLM, text: str, paraphrase: str, unrelated: str
) -> None:
    assert similarity(minilm, text, paraphrase) > similarity(minilm, text, unrelated) + 0.1


def test_it_agrees_with_the_published_model(minilm: MiniLM) -> None:
    """Similarities by sentence-transformers' all-MiniLM-L6-v2 with its float weights."""
    texts = [
        "Where does Anna work?",
        "Anna is employed by a bakery in Oslo.",
        "The train to Bergen leaves at nine.",
        "我在柏林工作",
    ]
    published = {(0, 1): 0.696, (0, 2): 0.151, (0, 3): 0.097, (1, 2): 0.175, (1, 3): 0.091, (2, 3): 0.113}
    vectors = [vector.data for vector in minilm.embed(texts)]
    assert {pair: cosine(vectors[pair[0]], vectors[pair[1]]) for pair in published} == pytest.approx(
        published, abs=0.01
    )


def test_case_and_accents_do_not_count(minilm: MiniLM) -> None:
    plain, accented = minilm.embed(["rene drinks coffee in the cafe", "René drinks COFFEE in the Café"])
    assert plain == accented


# ---------------------------------------------------------------------------------------------- any text


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n\t", "\0", "\ufeff", "\ud800", "a\ud83d", "x" * 5000, "-" * 300),
        *("😀", "👩‍👩‍👧 🇳🇴", "我在柏林工作", "อาหารไทย" * 60, "שלום عليكم"),
        "[CLS] [SEP] [PAD] [MASK]",
    ],
)
def test_any_text_has_a_vector_of_length_one(minilm: MiniLM, text: str) -> None:
    [vector] = minilm.embed([text])
    floats = unpack(vector.data)
    assert (vector.model, vector.dim, len(floats)) == ("minilm", 384, 384)
    assert math.sqrt(sum(x * x for x in floats)) == pytest.approx(1, abs=1e-5)


@settings(max_examples=40)
@given(st.lists(st.text(max_size=80), max_size=6))
def test_a_vector_depends_on_its_text_alone(minilm: MiniLM, texts: list[str]) -> None:
    together = minilm.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        [alone] = minilm.embed([text])
        assert cosine(alone.data, vector.data) > 1 - 1e-6


def test_batches_keep_the_order(minilm: MiniLM) -> None:
    texts = [f"{'very ' * (n * 7 % 30)}long note number {n}" for n in range(70)]
    backwards = minilm.embed(texts[::-1])[::-1]
    for one, other in zip(minilm.embed(texts), backwards, strict=True):
        assert cosine(one.data, other.data) > 1 - 1e-6


def test_the_same_texts_give_the_same_bytes(minilm: MiniLM) -> None:
    texts = ["Anna lives in Berlin.", "", "我在柏林工作", "word " * 700]
    assert minilm.embed(texts) == minilm.embed(texts)


def test_how_many_batches_are_computed_at_once_changes_no_byte(minilm: MiniLM, model_file: Path) -> None:
    texts = [f"Note {number}. " + "The boat leaves at noon. " * (number % 23) for number in range(60)]
    vectors = minilm.embed(texts)
    for threads in (1, 3):
        assert MiniLM(model_file, threads=threads).embed(texts) == vectors


def test_no_texts_no_vectors_and_no_model() -> None:
    assert MiniLM(Path("there is no such file")).embed([]) == []


def test_several_threads_may_share_it(minilm: MiniLM) -> None:
    texts = [f"thread {n} writes of its day" for n in range(8)]
    shared = MiniLM()
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda text: shared.embed([text])[0], texts))
    for one, other in zip(vectors, minilm.embed(texts), strict=True):
        assert cosine(one.data, other.data) > 1 - 1e-6


# ---------------------------------------------------------------------------------------------- long texts


def filler(words: int) -> str:
    return " ".join(f"item {n} is on the shelf" for n in range(words // 6 + 1))


@pytest.mark.parametrize("words", [200, 260, 500, 3000])
def test_the_end_of_a_long_text_counts(minilm: MiniLM, words: int) -> None:
    ending = " In the end Anna moved to Oslo and keeps bees there. " * (words // 60)
    without, with_it, end = minilm.embed([filler(words), filler(words) + ending, "Anna keeps bees in Oslo"])
    assert cosine(with_it.data, end.data) > cosine(without.data, end.data) + 0.05


def test_every_word_of_a_long_text_is_in_a_window(minilm: MiniLM) -> None:
    """Wherever one word is exchanged, the vector moves."""
    words = ["plain"] * 500
    [before] = minilm.embed([" ".join(words)])
    changed = [" ".join([*words[:at], "zebra", *words[at + 1 :]]) for at in (0, 221, 222, 253, 254, 475, 499)]
    assert all(vector.data != before.data for vector in minilm.embed(changed))


def test_a_word_longer_than_the_vocabulary_takes_is_read_in_parts(minilm: MiniLM) -> None:
    one, other = minilm.embed(["fisch" * 60, "vogel" * 60])
    assert cosine(one.data, other.data) < 0.95


# ---------------------------------------------------------------------------------------------- the files


def test_another_model_file_is_refused(tmp_path: Path, model_file: Path) -> None:
    content = bytearray(model_file.read_bytes())
    content[len(content) // 2] ^= 1
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(BackendUnavailable, match="is not the model this version was made for") as caught:
        MiniLM(path).warm()
    assert "pip install" in str(caught.value.hint)


def test_a_missing_model_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match=r"gone\.onnx"):
        MiniLM(tmp_path / "gone.onnx").embed(["hello"])


def test_the_vocabulary_is_bert_s() -> None:
    vocabulary = Path(module.__file__).parent / "data" / "vocab.txt"
    digest = hashlib.sha256(vocabulary.read_bytes()).hexdigest()
    assert digest == "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
    lines = vocabulary.read_text("utf-8").split("\n")
    assert (lines[0], lines[100], lines[101], lines[102]) == ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def test_making_one_and_asking_its_mark_loads_no_library() -> None:
    program = (
        "import sys; from lean_memory.backends import choose_embedder; "
        "print(choose_embedder({}, None).embedder.mark.dim); "
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("384\n[]\n", "")


def test_nothing_is_printed(model_file: Path) -> None:
    program = "from lean_memory.backends.minilm import MiniLM; MiniLM(threads=2).embed(['one', 'two'] * 40)"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
