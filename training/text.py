"""How text becomes token ids. `src/models/builtin/tokenizer.ts` does exactly the same; the golden examples hold them together.

Text is NFKD-normalised and stripped of marks. A run of ASCII letters and digits is one piece when its lower-case form is in the
vocabulary; otherwise it is split at camelCase borders and each part goes through greedy longest-match WordPiece. Anything else that is
a letter or digit (a CJK character, or a run of another script) has no piece of its own and falls into one of a fixed number of buckets.
"""

import re
import unicodedata

BUCKETS = 1024
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


def bucket(run):
    """FNV-1a over the UTF-8 bytes of the lower-case run."""
    h = 0x811C9DC5
    for byte in run.lower().encode("utf-8"):
        h = ((h ^ byte) * 0x01000193) & 0xFFFFFFFF
    return h % BUCKETS


class Tokenizer:
    """Ids 0..n-1 are the pieces in file order, n..n+BUCKETS-1 the buckets."""

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

    def run_ids(self, run):
        if not run.isascii():
            return [len(self.pieces) + bucket(run)]
        if len(run) > MAX_RUN:
            return []
        whole = self.index.get(run.lower())
        if whole is not None:
            return [whole]
        return [i for part in parts(run) if len(part) <= MAX_PART for i in self.wordpiece(part)]

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
