"""How text becomes token ids. `src/models/builtin/tokenizer.ts` does exactly the same; the golden examples hold them together.

Text is NFKD-normalised and stripped of marks. A run of ASCII letters and digits is one piece when its lower-case form is in the
vocabulary; otherwise it is split at camelCase borders and each part goes through greedy longest-match WordPiece. Anything else that is
a letter or digit (a CJK character, or a run of another script) has no piece. Every word that is no piece of its own also gets two of a
fixed number of hashed rows, which together tell it from nearly all other words: names and identifiers match themselves.
"""

import re
import unicodedata

BUCKETS = 4096
MAX_RUN = 80  # longer runs are hashes and encoded blobs, not words
MAX_PART = 40
IDEOGRAPHS = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
UNITS = re.compile(rf"[A-Za-z0-9]+|(?=[^\W_])[{IDEOGRAPHS}]|(?:(?![A-Za-z0-9{IDEOGRAPHS}])[^\W_])+")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def strip_marks(text):
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c)[0] != "M")


def units(text):
    """The runs of a text, case kept: they decide everything, so a tokeniser may remember ids per run."""
    return UNITS.findall(strip_marks(text))


def parts(run):
    """The lower-case parts of an ASCII run, split at camelCase borders."""
    return [p.lower() for p in CAMEL.split(run)] if len(run) <= MAX_RUN else []


def buckets(word):
    """Two of the hashed rows for a word that has no piece of its own: FNV-1a over its UTF-8 bytes, mixed, cut into two numbers."""
    h = 0x811C9DC5
    for byte in word.encode("utf-8"):
        h = ((h ^ byte) * 0x01000193) & 0xFFFFFFFF
    h = ((h ^ (h >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    h ^= h >> 16
    return [h % BUCKETS, (h >> 16) % BUCKETS]


class Tokenizer:
    """Ids 0..n-1 are the pieces in file order, n..n+BUCKETS-1 the hashed rows."""

    def __init__(self, pieces):
        self.pieces = pieces
        self.index = {p: i for i, p in enumerate(pieces)}
        self.cache = {}

    def wordpiece(self, word):
        ids, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                found = self.index.get(word[start:end] if start == 0 else "##" + word[start:end])
                if found is not None:
                    ids.append(found)
                    break
            else:
                return []
            start = end
        return ids

    def hashed(self, word):
        return [len(self.pieces) + b for b in buckets(word)]

    def run_ids(self, run):
        if not run.isascii():
            return self.hashed(run.lower())
        if len(run) > MAX_RUN:
            return []
        word = run.lower()
        whole = self.index.get(word)
        if whole is not None:
            return [whole]
        ids = []
        for part in parts(run):
            if len(part) > MAX_PART:
                continue
            pieces = self.wordpiece(part)
            ids += pieces
            if len(pieces) > 1 and part != word:
                ids += self.hashed(part)
        return ids + self.hashed(word)

    def encode(self, text):
        ids = []
        for run in units(text):
            known = self.cache.get(run)
            if known is None:
                known = self.cache[run] = self.run_ids(run)
            ids.extend(known)
        return ids


def read_vocabulary(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")
