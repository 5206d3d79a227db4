"""The text pipeline: normalise, then cut into the words and characters of the index, for rows and queries alike.

It leaves the syntax of FTS5 and the choice of query terms to `match`, and loads jieba only when Chinese has to be cut.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.resources
import os
import re
import tempfile
import threading
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import NamedTuple, Protocol

PIPELINE_VERSION = 1
"""Goes up when the same text would be cut or normalised differently; a file keeps the version it was indexed with."""

PIECE = 500
"""Longest run of Chinese given to jieba at once, in characters: its time is quadratic in the length of a run."""

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff"
HANGUL = "\u1100-\u11ff\uac00-\ud7a3"
_SCRIPTS = HAN + KANA + HANGUL
_CLOSERS = "\"'‘’“”`()\\[\\]{}<>,;!|*^$，。！？、；：（）《》〈〉【】「」『』…—"

_RUN = re.compile(
    f"(?P<han>[{HAN}]+)|(?P<kana>[{KANA}]+)|(?P<hangul>[{HANGUL}]+)"
    f"|(?P<word>[^\\W_{_SCRIPTS}]+(?:(?:_|[^\\w\\s{_CLOSERS}])+[^\\W_{_SCRIPTS}]+)*)"
)
HAN_RUN = re.compile(f"[{HAN}]+")
_PIECES = re.compile(r"[^\W_]+")
_COMMON_PIECES = re.compile(f"[\u4e00-\u9fd5]{{1,{PIECE}}}|.", re.DOTALL)
_HAN_CHARACTER = re.compile(f"[{HAN}]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# Unicode's category Cf: marks that show nothing, such as the zero-width space and the marks of writing direction.
_FORMATS = re.compile(
    "[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001"
    "\U000e0020-\U000e007f]"
)
# Figures that NFKC would join to their neighbours: 10⁶ became 106, 1½ became 11⁄2, step ① of two one of 12.
_RAISED = re.compile(
    "[²³¹¼½¾\u2070-\u209c\u2150-\u215f\u2189\u2460-\u249b\u24ea-\u24ff\u3220-\u3229\u3248-\u324f\u3251-\u325f"
    "\u3280-\u3289\u32b1-\u32bf]"
)
# `C++` and `C#` would both be indexed as `c`: their signs become letters, beside the plain name.
_SIGNED_NAME = re.compile(r"(?<![^\W_])([a-z][a-z0-9]*)(\+\+(?![^\W\d_+])|#(?![^\W_#]))")
_SIGNS = {"++": "plusplus", "#": "sharp"}


class Segmented(NamedTuple):
    """One text as the index holds it: words and single characters, each joined by single spaces."""

    words: str
    characters: str


class Run(NamedTuple):
    """A stretch of one script in normalised text; `script` is `han`, `kana`, `hangul` or `word`."""

    script: str
    text: str


class Cutter(Protocol):
    """What cuts a run of Chinese into search-mode words."""

    def __call__(self, run: str) -> Iterable[str]: ...


def clean(text: str) -> str:
    """Return `text` with NUL and lone surrogates replaced by U+FFFD: what UTF-8 and SQLite can hold."""
    if not text.isascii() and _SURROGATES.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\x00", "\ufffd")


@functools.lru_cache(maxsize=4)
def normalise(text: str) -> str:
    """Return the form that is compared: NFKC, case folded, Simplified characters, no control or format characters.

    The last few are kept: gate, fingerprint and index ask for the same text in turn.
    """
    text = _CONTROLS.sub(" ", text)
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", _FORMATS.sub("", clean(text))).casefold()
    return in_simplified(_FORMATS.sub("", unicodedata.normalize("NFKC", text)))


def comparable(text: str) -> str:
    """Return the normalised form in which raised, lowered, circled and broken figures stand apart: 10⁶ is 10^6.

    The index does without: its rows keep the words they have.
    """
    return normalise(text if text.isascii() else _RAISED.sub(r"^\g<0>", text))


def fingerprint(text: str) -> str:
    """Return 32 hex digits that are equal for texts that differ only in form: case, width, spacing, composition."""
    folded = " ".join(comparable(text).split())
    return hashlib.blake2b(folded.encode("utf-8", "replace"), digest_size=16).hexdigest()


def runs(normalised: str) -> Iterator[Run]:
    """Yield the searchable runs of normalised text in order; punctuation and emoji between them are left out."""
    if "#" in normalised or "++" in normalised:
        normalised = _SIGNED_NAME.sub(lambda m: f"{m[1]} {m[1]}{_SIGNS[m[2]]} ", normalised)
    for match in _RUN.finditer(normalised):
        yield Run(match.lastgroup or "word", match[0])


def pieces(word: str) -> list[str]:
    """Return the letters-and-digits pieces of a compound such as `user_id` or `192.168.0.1`, in order."""
    return _PIECES.findall(word)


def weight(text: str) -> int:
    """Return the length of `text` in characters without outer space; a Chinese character counts double."""
    text = text.strip()
    return len(text) + len(_HAN_CHARACTER.findall(text))


class Segmenter:
    """Cut text for the index and for queries, with a file's own dictionary words.

    The dictionary is loaded at the first run of two or more Chinese characters (about a second), never before.
    Safe to share between threads.
    """

    def __init__(self, dictionary_words: Iterable[str] = ()) -> None:
        self.dictionary_words = tuple(sorted(set(dictionary_words)))
        self._cutter: Cutter | None = None

    def segment(self, text: str) -> Segmented:
        """Return the words and the single characters of `text`, both in the order of the text."""
        words: list[str] = []
        characters: list[str] = []
        for script, run in runs(normalise(text)):
            if script == "word":
                words.extend(pieces(run))
                continue
            characters.extend(run)
            words.extend(self.cut(run) if script == "han" else (run,))
        return Segmented(" ".join(words), " ".join(characters))

    def cut(self, run: str) -> list[str]:
        """Return the search-mode words of a run of Chinese characters; rare ones outside the dictionary stand alone."""
        words: list[str] = []
        for piece in _COMMON_PIECES.findall(run):
            words += [piece] if len(piece) == 1 else (self._cutter or self._load())(piece)
        return words

    def _load(self) -> Cutter:
        with _loading:
            if self._cutter is None:
                fast = None if self.dictionary_words else _rjieba_cutter()
                self._cutter = fast or _jieba_cutter(self.dictionary_words)
        return self._cutter


@functools.lru_cache(maxsize=8)
def segmenter_for(dictionary_words: tuple[str, ...]) -> Segmenter:
    """Return the segmenter of these words, one for all layers of the process: a dictionary takes some 100 MB."""
    return Segmenter(dictionary_words)


_loading = threading.Lock()
_plain: list[object] = []


def _rjieba_cutter() -> Cutter | None:
    """Return the cutter of the extra `fast` where it is installed: on runs of Chinese it cuts as jieba does, faster.

    A file with dictionary words is left to jieba: the two weigh added words differently.
    """
    try:
        import rjieba
    except ImportError:
        return None
    return lambda run: rjieba.cut_for_search(run)


def _jieba_cutter(dictionary_words: tuple[str, ...]) -> Cutter:
    """Load a private jieba Tokenizer, silently; the host program's jieba and its dictionary stay as they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba

    if not _plain:
        _plain.append(_initialised(jieba))
    tokenizer = _plain[0]
    if dictionary_words:
        own = jieba.Tokenizer()
        own.FREQ, own.total, own.initialized = dict(tokenizer.FREQ), tokenizer.total, True  # type: ignore[attr-defined]  # jieba ships no types
        for word in dictionary_words:
            own.add_word(word)
        tokenizer = own
    cut: Cutter = tokenizer.lcut_for_search  # type: ignore[attr-defined]  # jieba ships no types
    return cut


def _initialised(jieba: ModuleType) -> object:
    tokenizer = jieba.Tokenizer()
    tokenizer.cache_file = f"jieba-{jieba.__version__}.cache"
    level = jieba.default_logger.level
    jieba.default_logger.setLevel("CRITICAL")
    try:
        with _cache_folder() as tokenizer.tmp_dir:
            tokenizer.initialize()
    finally:
        jieba.default_logger.setLevel(level)
    return tokenizer


@contextlib.contextmanager
def _cache_folder() -> Iterator[str]:
    """Yield a folder that only this user can write: jieba believes whatever its cache file holds."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(base, "sqlite-memory")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        status = os.stat(folder)
        private = os.name == "nt" or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)
        usable = private and os.access(folder, os.W_OK)
    except OSError:
        usable = False
    if usable:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="sqlite-memory-") as temporary:
        yield temporary


class _Simplified(dict[int, str]):
    """A table for str.translate; a character once met and not listed is looked up as fast as one that is."""

    def __missing__(self, code: int) -> str:
        self[code] = chr(code)
        return self[code]


def in_simplified(text: str) -> str:
    """Return `text` with Simplified for Traditional characters; each becomes one character."""
    traditional, table = _simplified()
    return text.translate(table) if traditional.search(text) else text


@functools.lru_cache(maxsize=1)
def _simplified() -> tuple[re.Pattern[str], Mapping[int, str]]:
    """Return a pattern for any Traditional character and the table for str.translate."""
    data = importlib.resources.files(__package__).joinpath("simplified.txt").read_text(encoding="utf-8")
    traditional, simplified = (line for line in data.split("\n") if line and not line.startswith("#"))
    return re.compile(f"[{traditional}]"), _Simplified(zip(map(ord, traditional), simplified, strict=True))
