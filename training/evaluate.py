"""Scores an embedding alone and beside words (SQLite FTS5 with the porter stemmer), on sets made from held-out training projects
(for every decision) and on the evaluation sets (for the final report only).
"""

import collections
import glob
import gzip
import json
import math
import os
import random
import re
import sqlite3

import numpy as np

from data import origin, sentences

DEPTH = 100
BOOKS = {"astronomy", "introduction-sociology", "microbiology"}
STOP = set("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with".split())


def heading_set(records, rng, most=300):
    """As the product's documentation sets are made: page title and own heading, to the section's bare text."""
    chosen = rng.sample(range(len(records)), min(most, len(records)))
    queries = [(records[i]["title"] + " " + (records[i]["headings"] or [""])[-1], {i: 1}) for i in chosen]
    return [r["text"] for r in records], queries


def sentence_set(records, rng, most=200):
    """A sentence taken out of its section must find the rest of it."""
    corpus, queries = [r["text"] for r in records], []
    order = rng.sample(range(len(records)), len(records))
    for i in order:
        found = [s for s in sentences(records[i]["text"]) if 40 < len(s) < 300]
        if len(found) < 4 or len(queries) == most:
            continue
        sentence = rng.choice(found)
        corpus[i] = records[i]["text"].replace(sentence, " ")
        queries.append((sentence, {i: 1}))
    return corpus, queries


def placed_set(records, rng):
    """The same with every section showing its place, as the product embeds them."""
    corpus, queries = sentence_set(records, rng)
    return [" ".join(dict.fromkeys([r["title"], *r["headings"]])) + " " + text for r, text in zip(records, corpus)], queries


def development_sets(files, flags, seed=7):
    """`files` are the lines of data.FILES in order, `flags` their held-out marks one after another."""
    rng, projects, pairs = random.Random(seed), collections.defaultdict(list), collections.defaultdict(list)
    for line, out in zip((line for file in files for line in file), flags):
        if out:
            record = json.loads(line)
            (pairs if "set" in record else projects)[origin(record)].append(record)
    sets = {}
    for name, records in sorted(projects.items()):
        kind = "book" if name in BOOKS else "article" if name == "elife" else "docs"
        sets[f"{kind}_headings-{name}"] = heading_set(records, rng)
        sets[f"{kind}_placed-{name}"] = placed_set(records, rng)
        sets[f"{kind}_sentence-{name}"] = sentence_set(records, rng)
    glossary = [r for name, records in sorted(pairs.items()) if name.endswith("-glossary") for r in records]
    for name, records in (*((n, pairs[n]) for n in ("medquad", "elife-title", "elife-statement", "acl")), ("glossary", glossary)):
        answers = list(dict.fromkeys(r["answer"] for r in records))
        place = {a: i for i, a in enumerate(answers)}
        asked = records if len(records) <= 400 else rng.sample(records, 400)
        sets[f"q_{name.replace('-', '_')}-{name}"] = answers, [(r["question"], {place[r["answer"]]: 1}) for r in asked]
    return sets


def evaluation_sets(folder):
    sets = {}
    for path in sorted(glob.glob(os.path.join(folder, "*/qrels.tsv"))):
        here = os.path.dirname(path)
        corpus, queries = (read_gz(os.path.join(here, n + ".jsonl.gz")) for n in ("corpus", "queries"))
        position = {d["_id"]: i for i, d in enumerate(corpus)}
        relevant = collections.defaultdict(dict)
        with open(path, encoding="utf-8") as file:
            for row in file.read().split("\n")[1:]:
                if row:
                    query, document, score = row.split("\t")
                    if int(score) > 0:
                        relevant[query][position[document]] = int(score)
        texts = [((d.get("title") or "") + " " + d["text"]).strip() for d in corpus]
        sets[os.path.basename(here)] = texts, [(q["text"], relevant[q["_id"]]) for q in queries if relevant[q["_id"]]]
    return sets


def read_gz(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def words_runs(corpus, queries):
    """The first DEPTH documents of every query with their BM25 scores."""
    db = sqlite3.connect(":memory:")
    db.execute("create virtual table t using fts5(x, tokenize='porter unicode61')")
    db.executemany("insert into t(rowid, x) values (?, ?)", enumerate(corpus))
    runs = []
    for text, _ in queries:
        terms = [w for w in re.findall(r"\w+", text.lower()) if w not in STOP]
        match = " OR ".join(f'"{t}"' for t in dict.fromkeys(terms))
        rows = db.execute("select rowid, -bm25(t) from t where t match ? order by 2 desc limit ?", (match, DEPTH)).fetchall() if match else []
        runs.append({i: s for i, s in rows})
    return runs


def ndcg(ranking, relevant, k=10):
    gain = sum(relevant.get(d, 0) / math.log2(i + 2) for i, d in enumerate(ranking[:k]))
    best = sum(v / math.log2(i + 2) for i, v in enumerate(sorted(relevant.values(), reverse=True)[:k]))
    return gain / best


def scaled(run):
    """Scores over the first DEPTH, between 0 (the last) and 1 (the first)."""
    if not run:
        return {}
    low, high = min(run.values()) if len(run) >= DEPTH else 0.0, max(run.values())
    return {d: (s - low) / (high - low + 1e-9) for d, s in run.items()}


def ranked(run):
    return sorted(run, key=lambda d: (-run[d], d))


def summary(table):
    """The mean per kind of set (the part of the name before the dash)."""
    kinds = collections.defaultdict(list)
    for name, row in table.items():
        kinds[name.split("-")[0]].append(row)
    return {kind: {k: round(float(np.mean([r[k] for r in rows])), 4) for k in rows[0]} for kind, rows in kinds.items()}
