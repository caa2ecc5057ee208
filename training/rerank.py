"""Learns the reranker: a small network over the features of features.ts, listwise, on the CPU with numpy.

Chooses with projects left out of the learning, then learns from all development queries and writes the weights as TypeScript.
"""

import argparse
import collections
import json

import numpy as np

POOL = 50
VALIDATION = ("fastapi", "istio", "sqlalchemy", "vue", "webpack")


def load_all(prefixes):
    parts = [load(prefix) for prefix in prefixes]
    lines = [line for part in parts for line in part[1]]
    return parts[0][0], lines, *(np.concatenate([part[i] for part in parts]) for i in (2, 3, 4))


def load(prefix):
    meta = json.load(open(prefix + ".json"))
    flat = np.fromfile(prefix + ".f32", np.float32).reshape(-1, len(meta["features"]))
    counts = [len(line["labels"]) for line in meta["lines"]]
    x = np.zeros((len(counts), POOL, flat.shape[1]), np.float32)
    y, mask = np.zeros((len(counts), POOL), np.float32), np.zeros((len(counts), POOL), bool)
    start = 0
    for i, (count, line) in enumerate(zip(counts, meta["lines"])):
        x[i, :count], y[i, :count], mask[i, :count] = flat[start : start + count], line["labels"], True
        start += count
    return meta["features"], meta["lines"], x, y, mask


def dcg(gains):
    return sum(g / np.log2(i + 2) for i, g in enumerate(gains[:10]))


def table(lines, y, mask, scores):
    """nDCG@10 per set of words, of the order the candidates came in, and of the scores."""
    rows = collections.defaultdict(list)
    for i, line in enumerate(lines):
        ideal = dcg(line["ideal"])
        order = np.argsort(-np.where(mask[i], scores[i], -1e9), kind="stable")
        rows[line["set"]].append((dcg(line["words"]) / ideal, dcg(line["labels"]) / ideal, dcg(y[i][order]) / ideal))
    return {name: np.mean(values, 0) for name, values in rows.items()}


def by_kind(found):
    kinds = collections.defaultdict(list)
    for name, row in found.items():
        kinds[name.split("-")[0]].append(row)
    return {kind: np.mean(rows, 0).round(4).tolist() for kind, rows in kinds.items()}


class Network:
    """score = x·skip + tanh(x·inner + bias)·outer over standardised features."""

    def __init__(self, width, hidden, seed):
        rng = np.random.default_rng(seed)
        self.p = {
            "skip": np.zeros(width, np.float32),
            "inner": rng.normal(0, width**-0.5, (width, hidden)).astype(np.float32),
            "bias": np.zeros(hidden, np.float32),
            "outer": rng.normal(0, 0.1, hidden).astype(np.float32),
        }

    def score(self, x):
        return x @ self.p["skip"] + np.tanh(x @ self.p["inner"] + self.p["bias"]) @ self.p["outer"]

    def gradient(self, x, y, mask, weight):
        inside = np.tanh(x @ self.p["inner"] + self.p["bias"])
        s = np.where(mask, x @ self.p["skip"] + inside @ self.p["outer"], -1e9)
        prob = np.exp(s - s.max(1, keepdims=True))
        prob /= prob.sum(1, keepdims=True)
        d = (prob - y / y.sum(1, keepdims=True)) * (weight / weight.sum())[:, None]
        back = d[..., None] * self.p["outer"] * (1 - inside**2)
        flat = x.reshape(-1, x.shape[-1])
        return {
            "skip": flat.T @ d.ravel(),
            "outer": inside.reshape(-1, inside.shape[-1]).T @ d.ravel(),
            "inner": flat.T @ back.reshape(-1, back.shape[-1]),
            "bias": back.sum((0, 1)),
        }


def learn(x, y, mask, weight, options):
    """The mean of several networks that differ in their seeds: steadier, and still one network when written side by side."""
    several = [learn_one(x, y, mask, weight, options, seed) for seed in range(options.seed, options.seed + options.networks)]
    joined = Network(x.shape[-1], 0, 0)
    joined.p = {
        "skip": np.mean([n.p["skip"] for n in several], 0),
        "inner": np.concatenate([n.p["inner"] for n in several], 1),
        "bias": np.concatenate([n.p["bias"] for n in several]),
        "outer": np.concatenate([n.p["outer"] for n in several]) / len(several),
    }
    return joined


def learn_one(x, y, mask, weight, options, seed):
    usable = np.flatnonzero(y.sum(1) > 0)
    network, rng = Network(x.shape[-1], options.hidden, seed), np.random.default_rng(seed)
    first = {k: np.zeros_like(v) for k, v in network.p.items()}
    second = {k: np.zeros_like(v) for k, v in network.p.items()}
    step, total = 0, options.epochs * (len(usable) // options.batch)
    for _ in range(options.epochs):
        rng.shuffle(usable)
        for at in range(0, len(usable) - options.batch + 1, options.batch):
            pick = usable[at : at + options.batch]
            step += 1
            rate = options.rate * (1 - step / (total + 1))
            for key, g in network.gradient(x[pick], y[pick], mask[pick], weight[pick]).items():
                g = g + options.decay * network.p[key]
                first[key] = 0.9 * first[key] + 0.1 * g
                second[key] = 0.99 * second[key] + 0.01 * g * g
                network.p[key] -= rate * (first[key] / (1 - 0.9**step)) / (np.sqrt(second[key] / (1 - 0.99**step)) + 1e-8)
    return network


def set_weights(lines, options):
    """Every kind of query counts the same in total, headings and questions as often as asked."""
    share = {"headings": options.headings, "question": options.questions}
    kinds = [line["set"].split("-")[0] for line in lines]
    counts = collections.Counter(kinds)
    return np.array([share.get(k, 1.0) / counts[k] for k in kinds], np.float32)


def unseen_kinds(lines, z, y, mask, weight, options):
    """What the network is worth on a kind of query it never learned from: each kind left out in turn."""
    kinds = np.array([line["set"].split("-")[0] for line in lines])
    for kind in dict.fromkeys(kinds):
        out = kinds == kind
        network = learn(z[~out], y[~out], mask[~out], weight[~out], options)
        left = [line for line, is_out in zip(lines, out) if is_out]
        print("unseen", by_kind(table(left, y[out], mask[out], network.score(z[out]))), flush=True)


def calibrate(scores, relevant):
    """Slope and offset that make the sigmoid of a score a probability (logistic regression by Newton's method)."""
    a, b = 0.5, np.log(relevant.mean()) - 0.5 * scores.mean()
    for _ in range(50):
        prob = 1 / (1 + np.exp(-np.clip(a * scores + b, -30, 30)))
        error, spread = prob - relevant, prob * (1 - prob) + 1e-9
        hessian = np.array([[(spread * scores**2).sum(), (spread * scores).sum()], [(spread * scores).sum(), spread.sum()]])
        a, b = np.array([a, b]) - 0.5 * np.linalg.solve(hessian, [(error * scores).sum(), error.sum()])
    return float(a), float(b)


def write(path, network, scaling, calibration, kept):
    """Standardising and calibrating are folded into the weights, so that the product need not know about them."""
    (mean, deviation), (slope, offset) = scaling, calibration
    skip = slope * network.p["skip"] / deviation
    inner = network.p["inner"] / deviation[:, None]
    bias = network.p["bias"] - (mean / deviation * kept) @ network.p["inner"]
    lists = {"skip": skip[kept], "inner": inner[kept].T, "bias": bias, "outer": slope * network.p["outer"]}
    as_text = {k: json.dumps(np.round(v.astype(float), 5).tolist()) for k, v in lists.items()}
    with open(path, "w") as file:
        file.write("// Written by training/rerank.py; see docs/model-card.md. One number per feature of features.ts, in its order.\n\n")
        file.write(f"export const OFFSET = {offset - slope * float((mean / deviation * kept) @ network.p['skip']):.5f};\n")
        file.write(f"export const SKIP: readonly number[] = {as_text['skip']};\n")
        file.write(f"export const INNER: readonly (readonly number[])[] = {as_text['inner']};\n")
        file.write(f"export const BIAS: readonly number[] = {as_text['bias']};\n")
        file.write(f"export const OUTER: readonly number[] = {as_text['outer']};\n")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--development", required=True, nargs="+", help="prefixes of the files of features.ts --train")
    p.add_argument("--evaluation", help="prefix of the files of features.ts --eval: only for the final report")
    p.add_argument("--out", help="TypeScript file to write")
    p.add_argument("--hidden", type=int, default=4)
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--rate", type=float, default=0.01)
    p.add_argument("--decay", type=float, default=1e-3)
    p.add_argument("--headings", type=float, default=2.0)
    p.add_argument("--questions", type=float, default=0.5)
    p.add_argument("--networks", type=int, default=5)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--unseen-kinds", action="store_true", help="also try every kind of query on a network that never saw it")
    p.add_argument("--drop", nargs="*", default=[], help="features to leave out, to see what they are worth")
    options = p.parse_args()
    features, lines, x, y, mask = load_all(options.development)
    mean, deviation = x[mask].mean(0), x[mask].std(0) + 1e-6
    keep = np.array([f not in options.drop for f in features], np.float32)
    prepare = lambda raw, m: np.where(m[..., None], (raw - mean) / deviation * keep, 0).astype(np.float32)
    z, weight = prepare(x, mask), set_weights(lines, options)
    left_out = np.array([line["set"].split("-", 1)[1] in VALIDATION or (line["set"].startswith("question") and i % 2 == 0) for i, line in enumerate(lines)])
    chosen = learn(z[~left_out], y[~left_out], mask[~left_out], weight[~left_out], options)
    held = [line for line, out in zip(lines, left_out) if out]
    print("validation", by_kind(table(held, y[left_out], mask[left_out], chosen.score(z[left_out]))))
    if options.unseen_kinds:
        unseen_kinds(lines, z, y, mask, weight, options)
    if not options.out and not options.evaluation:
        return
    network = learn(z, y, mask, weight, options)
    print("calibration", calibration := calibrate(network.score(z)[mask].astype(float), (y[mask] > 0).astype(float)))
    if options.evaluation:
        _, lines, x, y, mask = load(options.evaluation)
        for name, row in table(lines, y, mask, network.score(prepare(x, mask))).items():
            print(f"{name:24s} words {row[0]:.4f} hybrid {row[1]:.4f} rerank {row[2]:.4f}  {100 * (row[2] - row[0]):+.1f}")
    if options.out:
        write(options.out, network, (mean, deviation), calibration, keep > 0)


if __name__ == "__main__":
    main()
