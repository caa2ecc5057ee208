"""Packs the trained model into the file the TypeScript side reads, and writes the golden examples that hold the two together.

Layout, little endian: 8 bytes `VAIEMB02`; uint32 pieces, rows, dimensions, bytes of vocabulary; float32 scale per row; the vocabulary (UTF-8, joined by line feeds, padded with spaces to a multiple of 4); int8 rows.
"""

import json

import numpy as np

from pooling import token_weights

MAGIC = b"VAIEMB02"
EXAMPLES = [
    "",
    "   \n\t ",
    "hello world",
    "How do I reset my password?",
    "useEffect(() => { setState(x); }, [deps])",
    "HTTPServerRequest parseJSONBody getElementById JavaScript GitHub PostgreSQL",
    "Crème brûlée, naïve café, Ångström, ﬁne print ½ ² ℃",
    "TGF-β and IFN-γ regulate α-synuclein",
    "数据库 索引 データベース データ ガイド",
    "база данных и полнотекстовый поиск",
    "데이터베이스 검색 قاعدة بيانات מסד נתונים",
    "emoji 🎉🚀 and 👩‍👩‍👧 in text ✅",
    "kubectl get pods --namespace=kube-system -o json | jq '.items[].metadata.name'",
    "a" * 41 + " " + "b" * 81 + " fine",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "Configure the connection pool: set max_connections to 100 and idle-timeout to 30s.",
    "The quick brown fox jumps over the lazy dog. " * 20,
    "\ud83d lone surrogate",
    "İstanbul ISPARTA ıssız ẞtraße Ǆ Σίσυφος ΟΔΟΣ",
    "x_y-z.w:q/p\\r@s#t$u%v^w&x*y(z)",
    "v1.2.3-beta.4+build.567 ES2024 utf8 sha256 C++20 .NET8 ipv4",
]


def quantize(vectors):
    """int8 rows and one scale per row."""
    largest = np.abs(vectors).max(1).clip(1e-9)
    scales = (largest / 127).astype(np.float32)
    return np.round(vectors / scales[:, None]).clip(-127, 127).astype(np.int8), scales


def write_weights(path, pieces, codes, scales):
    vocabulary = "\n".join(pieces).encode("utf-8")
    vocabulary += b" " * (-len(vocabulary) % 4)
    header = np.array([len(pieces), codes.shape[0], codes.shape[1], len(vocabulary)], "<u4")
    with open(path, "wb") as file:
        for part in (MAGIC, header.tobytes(), scales.astype("<f4").tobytes(), vocabulary, codes.tobytes()):
            file.write(part)


def embed(ids, vectors, size):
    if not ids:
        return [0.0] * size
    total = token_weights(ids) @ vectors[ids, :size].astype(np.float64)
    length = np.linalg.norm(total)
    return [round(float(x), 7) for x in total / (length or 1)]


def write_golden(path, tokenizer, vectors):
    cases = []
    for text in EXAMPLES:
        clean = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        ids = tokenizer.encode(clean)
        cases.append({"text": clean, "ids": ids, "256": embed(ids, vectors, 256), "64": embed(ids, vectors, 64)})
    with open(path, "w", encoding="utf-8") as file:
        json.dump(cases, file, ensure_ascii=True, separators=(",", ":"))
