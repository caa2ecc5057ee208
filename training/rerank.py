"""Learns the reranker: a small network over the features that lists.ts wrote, listwise, on the CPU with numpy.

Chooses with projects left out of the learning, then learns from all development queries and writes the weights as TypeScript.
"""

import argparse
import collections
import json

import numpy as np

POOL = 50
VALIDATION = ("fastapi", "istio", "sqlalchemy", "vue", "webpack")
PICKED = 0.2
SHARES = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 1.0)


def load(prefix):
    """Features, questions, and per candidate: features, number of the right document it belongs to (0: none), whether there is one."""
    meta = json.load(open(prefix + ".json"))
    flat = np.fromfile(prefix + ".f32", np.float32).reshape(-1, len(meta["features"]))
    lines, n = meta["lines"], len(meta["lines"])
    x, y, mask = np.zeros((n, POOL, flat.shape[1]), np.float32), np.zeros((n, POOL), np.int8), np.zeros((n, POOL), bool)
    start = 0
    for i, line in enumerate(lines):
        count, numbers = len(line["first"]), {}
        x[i, :count], mask[i, :count] = flat[start : start + count], True
        line["kind"] = line["shape"].split("-")[0] + " " + line["kind"]
        line["documents"] = [candidate[1] for candidate in line["candidates"]]
        for j, (gain, document, *_) in enumerate(line["candidates"][:count]):
            y[i, j] = numbers.setdefault(document, len(numbers) + 1) if gain else 0
        start += count
    return meta["features"], lines, x, y, mask


def answerable(everything):
    """Without the questions that belong to other collections, which only relevance learns from."""
    return part(everything, np.array([line["right"] > 0 for line in everything[0]]))


def ndcg(documents, right, most, order):
    """A document counts once, where its best chunk stands."""
    seen, found = set(), 0.0
    for at in order:
        if documents[at] not in seen:
            seen.add(documents[at])
            found += (right[at] > 0) / np.log2(len(seen) + 1)
            if len(seen) == 10:
                break
    return found / sum(1 / np.log2(i + 2) for i in range(min(most, 10)))


def between(values):
    """As rerank.ts scales before it blends."""
    span = values.max() - values.min()
    return (values - values.min()) / span if span > 0 else np.ones(len(values))


def table(lines, x, y, mask, scores):
    """Mean nDCG@10 per kind of query: words, then the reranker at every share beside the first stage."""
    rows = collections.defaultdict(list)
    for i, line in enumerate(lines):
        count = len(line["first"])
        if count == 0:
            continue
        read, first = between(sigmoid(scores[i, :count])), between(np.array(line["first"]))
        by_words = [-(candidate[2] or 0) for candidate in line["candidates"][:count]]
        orders = [np.argsort(by_words, kind="stable")] + [np.argsort(-(s * read + (1 - s) * first), kind="stable") for s in SHARES]
        rows[line["kind"]].append([ndcg(line["documents"], y[i], line["right"], order) for order in orders])
    return {kind: np.mean(values, 0) for kind, values in rows.items()}


def sigmoid(values):
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))


def show(name, found):
    print(name, "words |", " ".join(f"share {s}" for s in SHARES))
    for kind, row in found.items():
        print(f"  {kind:20s} {row[0]:.4f} | " + " ".join(f"{v:.4f}" for v in row[1:]))
    for name, picked in (("mean, as people ask", False), ("mean, picked words", True)):
        mean = np.mean([row for kind, row in found.items() if is_picked(kind) == picked], 0)
        print(f"  {name:20s} {mean[0]:.4f} | " + " ".join(f"{v:.4f}" for v in mean[1:]), flush=True)


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
        d = (prob - target(prob, y)) * (weight / weight.sum())[:, None]
        back = d[..., None] * self.p["outer"] * (1 - inside**2)
        flat = x.reshape(-1, x.shape[-1])
        return {
            "skip": flat.T @ d.ravel(),
            "outer": inside.reshape(-1, inside.shape[-1]).T @ d.ravel(),
            "inner": flat.T @ back.reshape(-1, back.shape[-1]),
            "bias": back.sum((0, 1)),
        }


def target(prob, y):
    """Every right document is to be found by whichever of its chunks comes best; its other chunks are not asked for."""
    total, count = np.zeros_like(prob), np.zeros((len(prob), 1), prob.dtype)
    for number in range(1, y.max() + 1):
        own = np.where(y == number, prob + 1e-12, 0)
        there = own.sum(1, keepdims=True)
        total += np.where(there > 0, own / np.maximum(there, 1e-12), 0)
        count += there > 0
    return total / np.maximum(count, 1)


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
    usable = np.flatnonzero((y > 0).any(1))
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


def set_weights(lines):
    """Every kind of query counts the same in total, but for words picked out of a text, which is not how most people ask."""
    counts = collections.Counter(line["kind"] for line in lines)
    return np.array([(PICKED if is_picked(line["kind"]) else 1) / counts[line["kind"]] for line in lines], np.float32)


def is_picked(kind):
    return kind.endswith(("keywords", "mixed"))


def judged(train, test, options):
    """Learned on one part, calibrated on it, and the table of the other."""
    lines, z, y, mask = train
    network = learn(z, y, mask, set_weights(lines), options)
    slope, offset = calibrate(network.score(z)[mask].astype(float), (y[mask] > 0).astype(float))
    lines, z, y, mask = test
    return table(lines, z, y, mask, slope * network.score(z) + offset)


def unseen_kinds(everything, options):
    """What the network is worth on a kind of query it never learned from: each kind left out in turn."""
    kinds = np.array([line["kind"] for line in everything[0]])
    found = {}
    for kind in dict.fromkeys(kinds):
        found.update(judged(part(everything, kinds != kind), part(everything, kinds == kind), options))
    return found


def part(everything, chosen):
    lines, *arrays = everything
    return [line for line, is_in in zip(lines, chosen) if is_in], *(a[chosen] for a in arrays)


def calibrate(scores, relevant):
    """Slope and offset that make the sigmoid of a score a probability (logistic regression by Newton's method)."""
    a, b = 0.5, np.log(relevant.mean()) - 0.5 * scores.mean()
    for _ in range(50):
        prob = 1 / (1 + np.exp(-np.clip(a * scores + b, -30, 30)))
        error, spread = prob - relevant, prob * (1 - prob) + 1e-9
        hessian = np.array([[(spread * scores**2).sum(), (spread * scores).sum()], [(spread * scores).sum(), spread.sum()]])
        a, b = np.array([a, b]) - 0.5 * np.linalg.solve(hessian, [(error * scores).sum(), error.sum()])
    return float(a), float(b)


def constant(name, network, scaling, calibration, kept):
    """Standardising and calibrating are folded into the weights, so that the product need not know about them."""
    (mean, deviation), (slope, offset) = scaling, calibration
    bias = network.p["bias"] - (mean / deviation * kept) @ network.p["inner"]
    numbers = {
        "offset": offset - slope * float((mean / deviation * kept) @ network.p["skip"]),
        "skip": (slope * network.p["skip"] / deviation)[kept],
        "inner": (network.p["inner"] / deviation[:, None])[kept].T,
        "bias": bias,
        "outer": slope * network.p["outer"],
    }
    as_text = {k: json.dumps(np.round(np.asarray(v, float), 5).tolist()) for k, v in numbers.items()}
    return f"export const {name}: Network = {{\n" + "".join(f"  {k}: {v},\n" for k, v in as_text.items()) + "};\n"


def write(path, script, constants):
    with open(path, "w") as file:
        file.write(f"// Written by training/{script}.py; see docs/model-card.md. One number per feature, in their order.\n\n")
        file.write("import type { Network } from './network.ts';\n\n")
        file.write("\n".join(constants))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--development", required=True, help="prefix of the files of lists.ts")
    p.add_argument("--out", help="TypeScript file to write")
    p.add_argument("--hidden", type=int, default=8)
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--rate", type=float, default=0.01)
    p.add_argument("--decay", type=float, default=1e-3)
    p.add_argument("--networks", type=int, default=5)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--unseen-kinds", action="store_true", help="also try every kind of query on a network that never saw it")
    p.add_argument("--drop", nargs="*", default=[], help="features to leave out, to see what they are worth")
    options = p.parse_args()
    features, *everything = load(options.development)
    lines, x, y, mask = answerable(everything)
    mean, deviation = x[mask].mean(0), x[mask].std(0) + 1e-6
    keep = np.array([f not in options.drop for f in features], np.float32)
    z = np.where(mask[..., None], (x - mean) / deviation * keep, 0).astype(np.float32)
    everything = lines, z, y, mask
    left_out = np.array([line["shape"].split("-", 1)[1] in VALIDATION or (line["shape"].startswith("answers") and i % 2 == 0) for i, line in enumerate(lines)])
    show("unseen projects:", judged(part(everything, ~left_out), part(everything, left_out), options))
    if options.unseen_kinds:
        show("unseen kinds:", unseen_kinds(everything, options))
    if not options.out:
        return
    network = learn(z, y, mask, set_weights(lines), options)
    print("calibration", calibration := calibrate(network.score(z)[mask].astype(float), (y[mask] > 0).astype(float)))
    write(options.out, "rerank", [constant("RERANK", network, (mean, deviation), calibration, keep > 0)])


if __name__ == "__main__":
    main()
