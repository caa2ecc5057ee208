"""Compares shares of meaning beside words on the development queries that lists.ts wrote, per kind of query. CPU, under a minute."""

import argparse
import collections
import json

import numpy as np

CALIBRATED = 100
SHARES = (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 1.0)


def load(path):
    queries = []
    for line in json.load(open(path))["lines"]:
        if line["right"] == 0:
            continue
        columns = [np.array([np.nan if c[i] is None else c[i] for c in line["candidates"]], float) for i in range(4)]
        queries.append({**line, "kind": line["shape"].split("-")[0] + " " + line["kind"], "gain": columns[0], "document": columns[1],
                        "words": scaled(columns[2]), "meaning": scaled(columns[3])})
    return queries


def scaled(values):
    """As fuse.ts scales."""
    known = np.sort(values[np.isfinite(values)])[::-1]
    if not len(known):
        return np.zeros(len(values))
    low, high = known[min(len(known), CALIBRATED) - 1], known[0]
    return np.nan_to_num(np.maximum(0, (values - low) / (high - low)) if high > low else np.isfinite(values) * 1.0)


def ndcg(query, share):
    """A document counts once, where its best chunk stands."""
    scores, seen, found = (1 - share) * query["words"] + share * query["meaning"], set(), 0.0
    for at in np.argsort(-scores, kind="stable"):
        if query["document"][at] in seen:
            continue
        seen.add(query["document"][at])
        found += query["gain"][at] / np.log2(len(seen) + 1)
        if len(seen) == 10:
            break
    return found / sum(1 / np.log2(i + 2) for i in range(min(query["right"], 10)))


def by_kind(queries, share):
    kinds = collections.defaultdict(list)
    for query in queries:
        kinds[query["kind"]].append(ndcg(query, share))
    return {kind: float(np.mean(values)) for kind, values in kinds.items()}


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--lists", required=True, help="JSON file of lists.ts")
    queries = load(p.parse_args().lists)
    print(len(queries), "queries of", ", ".join(f"{k} ({c})" for k, c in collections.Counter(q["kind"] for q in queries).items()))
    words = by_kind(queries, 0.0)
    for share in SHARES:
        row = by_kind(queries, share)
        worst = 100 * min(row[k] - words[k] for k in row)
        print(f"share {share:4.2f}  mean {np.mean(list(row.values())):.4f}  worst {worst:+5.1f}  " + " ".join(f"{v:.3f}" for v in row.values()))


if __name__ == "__main__":
    main()
