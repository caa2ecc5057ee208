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

from data import HELD_OUT, is_held_out, sentences

DEPTH = 100
WEIGHTS = (0.1, 0.2, 0.3, 0.4, 0.5)
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


def development_sets(section_lines, qa_lines, seed=7):
    rng, projects = random.Random(seed), collections.defaultdict(list)
    for line in section_lines:
        record = json.loads(line)
        if record["project"] in HELD_OUT:
            projects[record["project"]].append(record)
    sets = {}
    for name, records in sorted(projects.items()):
        sets["headings-" + name] = heading_set(records, rng)
        sets["placed-" + name] = placed_set(records, rng)
        sets["sentence-" + name] = sentence_set(records, rng)
    qa = [json.loads(line) for i, line in enumerate(qa_lines) if is_held_out(i, json.loads(line))]
    sets["question-medquad"] = [r["answer"] for r in qa], [(r["question"], {i: 1}) for i, r in enumerate(qa)][::3]
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


def score(sets, words, embed):
    """nDCG@10 of words, of the vectors, and of their weighted sums, per set. `embed(texts)` gives unit vectors."""
    table = {}
    for name, (corpus, queries) in sets.items():
        documents, asked = embed(corpus), embed([q for q, _ in queries])
        cosines, figures = asked @ documents.T, collections.defaultdict(list)
        for i, (_, relevant) in enumerate(queries):
            top = np.argpartition(-cosines[i], min(DEPTH, len(corpus) - 1))[:DEPTH]
            meaning = {int(d): float(cosines[i, d]) for d in top}
            a, b = scaled(words[name][i]), scaled(meaning)
            figures["words"].append(ndcg(ranked(words[name][i]), relevant))
            figures["meaning"].append(ndcg(ranked(meaning), relevant))
            for w in WEIGHTS:
                mixed = {d: (1 - w) * a.get(d, 0) + w * b.get(d, 0) for d in a.keys() | b.keys()}
                figures[f"mix{w}"].append(ndcg(ranked(mixed), relevant))
        table[name] = {k: round(float(np.mean(v)), 4) for k, v in figures.items()}
    return table


def summary(table):
    """The mean per kind of set (the part of the name before the dash)."""
    kinds = collections.defaultdict(list)
    for name, row in table.items():
        kinds[name.split("-")[0]].append(row)
    return {kind: {k: round(float(np.mean([r[k] for r in rows])), 4) for k in rows[0]} for kind, rows in kinds.items()}


def similarity(folder, embed):
    """Spearman correlation with the human scores of the STS benchmark."""
    found = {}
    for part in ("dev", "test"):
        pairs = read_gz(os.path.join(folder, "stsb", part + ".jsonl.gz"))
        a, b = embed([p["sentence1"] for p in pairs]), embed([p["sentence2"] for p in pairs])
        ranks = [mean_ranks(v) for v in ((a * b).sum(1), np.array([p["score"] for p in pairs]))]
        found[part] = round(float(np.corrcoef(*ranks)[0, 1]), 4)
    return found


def mean_ranks(values):
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse]
