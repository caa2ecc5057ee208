"""Reads the training files and says which records are held out for development."""

import json
import lzma
import multiprocessing
import os
import re
import zlib

import numpy as np

# Whole projects and books, so that development figures are about text the model has never seen.
HELD_OUT = {
    "cargo", "electron", "fastapi", "helm", "istio", "laravel", "prometheus",
    "ros2", "scikit-learn", "sqlalchemy", "typescript", "vue", "webpack",
    "astronomy", "introduction-sociology", "microbiology",
}
# Every record of medquad whose position falls into this window of each hundred is held out too.
HELD_OUT_QA = range(90, 100)
# One article of twenty is held out, with everything made from it.
ARTICLES = 20
FILES = ("sections", "qa", "general", "wordnet")


def read_lines(folder, name):
    with lzma.open(os.path.join(folder, name + ".jsonl.xz"), "rt", encoding="utf-8", newline="\n") as file:
        return file.read().rstrip("\n").split("\n")


SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'\-])")
MAX_BODY = 320  # tokens; the texts are cut at 1,400 characters anyway
FIELDS = ("title", "heading", "path", "body")


def sentences(text):
    return [s for s in SENTENCE_END.split(text) if len(s) > 12] or [text]


def fields(record):
    """A question with its answer is treated as a section whose heading is the question."""
    if "question" in record:
        return "", record["question"], record["question"], record["answer"]
    headings = record["headings"] or [record["title"]]
    return record["title"], headings[-1], " ".join(headings), record["text"]


def record_texts(line):
    record = json.loads(line)
    if "question" in record:
        return [record["question"], record["answer"]]
    return [record["title"], " ".join(record["headings"]), record["text"]]


def origin(record):
    return record.get("set") or record["project"]


def is_held_out(position, record):
    name = origin(record)
    if name == "medquad":
        return position % 100 in HELD_OUT_QA
    return name in HELD_OUT or (name.endswith("-glossary") and name[: -len("-glossary")] in HELD_OUT)


def held_out(lines):
    """One flag a record. What came from one article goes together: its pairs share the abstract, its sections the title."""
    records = [json.loads(line) for line in lines]
    flags = np.array([is_held_out(i, r) for i, r in enumerate(records)])
    chosen = {r["answer"] for r in records if r.get("set") in ("elife-title", "acl") and zlib.crc32(r["question"].encode()) % ARTICLES == 0}
    titles = {r["question"] for r in records if r.get("set") == "elife-title" and r["answer"] in chosen}
    for i, r in enumerate(records):
        if r.get("set") in ("elife-title", "elife-statement", "acl"):
            flags[i] = r["answer"] in chosen
        elif r.get("project") == "elife":
            flags[i] = r["title"] in titles
    return flags


def encode_block(job):
    tokenizer, lines = job
    flat = {name: [] for name in FIELDS}
    lengths = {name: [] for name in FIELDS}
    sentence_lengths, sentence_counts = [], []
    for line in lines:
        title, heading, path, body = fields(json.loads(line))
        for name, text, most in (("title", title, 24), ("heading", heading, 48), ("path", path, 48)):
            ids = tokenizer.encode(text)[:most]
            flat[name] += ids
            lengths[name].append(len(ids))
        room, count = MAX_BODY, 0
        for sentence in sentences(body):
            ids = tokenizer.encode(sentence)[:room]
            # One length per sentence, empty ones too, so that the teacher's sentences stay aligned.
            flat["body"] += ids
            sentence_lengths.append(len(ids))
            room -= len(ids)
            count += 1
        lengths["body"].append(MAX_BODY - room)
        sentence_counts.append(count)
    return (
        {name: np.array(ids, np.uint16) for name, ids in flat.items()},
        {name: np.array(n, np.int32) for name, n in lengths.items()},
        np.array(sentence_lengths, np.int32),
        np.array(sentence_counts, np.int32),
    )


def encode(lines, tokenizer, workers=None):
    """One flat token array per field with the length of every record, and the sentence lengths of the bodies."""
    blocks = [(tokenizer, lines[i : i + 4000]) for i in range(0, len(lines), 4000)]
    with multiprocessing.Pool(workers) as pool:
        done = pool.map(encode_block, blocks, chunksize=1)
    arrays = {}
    for name in FIELDS:
        arrays[name] = np.concatenate([d[0][name] for d in done])
        arrays[name + "_length"] = np.concatenate([d[1][name] for d in done])
    arrays["sentence_length"] = np.concatenate([d[2] for d in done])
    arrays["sentence_count"] = np.concatenate([d[3] for d in done])
    return arrays
