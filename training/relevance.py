"""Learns how likely a passage answers, on a scale that means the same in every collection, and where the verdict's bounds lie.

From the same lists as the reranker, with the questions of other collections among them: the first ten of each answer, ordered as
the engine orders them, are right or wrong. Every figure printed is of projects left out of the learning, five groups in turn.
"""

import argparse
import collections
import json
import re

import numpy as np

from rerank import PICKED, constant, is_picked, load, sigmoid, write

TOP = 10
# Features of features.ts that are not relative.
ABSOLUTE = 9
# Coverage, the heaviest missing word, pairs and window: those that need no vectors of passages.
BY_WORDS = [4, 5, 6, 7]
SHARE = 0.6
FAR_BEHIND = -8
GROUPS = 5
# For each network: questions that belong to another collection are so many of all; so many of those that have an answer may be
# called unanswerable, and weakly answered. A third of the people's questions among the first are paraphrases.
Choices = collections.namedtuple("Choices", "strange refused weak")
CHOICES = {"RELEVANCE": Choices(0.35, 0.04, 0.16), "WORDS": Choices(0.2, 0.04, 0.12)}


def read_weights(path):
    text = open(path).read()
    return {k: np.array(json.loads(re.sub(r",\s*]", "]", v))) for k, v in re.findall(r"^  (\w+): (.*?),$(?=\n  \w+:|\n})", text, re.S | re.M)}


def judged(weights, x):
    return weights["offset"] + x @ weights["skip"] + np.tanh(x @ weights["inner"].T + weights["bias"]) @ weights["outer"]


def between(values, mask):
    low = np.where(mask, values, np.inf).min(1, keepdims=True)
    high = np.where(mask, values, -np.inf).max(1, keepdims=True)
    return np.where(mask, (values - low) / np.maximum(high - low, 1e-9), -1)


def answers(lines, x, mask, weights):
    """The first ten of every answer: features that are not relative, distance to the best, and whether they answer."""
    raw = np.where(mask, judged(weights, x), -np.inf)
    first, exact = np.zeros(mask.shape), np.zeros(mask.shape)
    for i, line in enumerate(lines):
        count = len(line["first"])
        first[i, :count], exact[i, :count] = line["first"], [c[4] for c in line["candidates"][:count]]
    final = SHARE * between(sigmoid(raw), mask) + (1 - SHARE) * between(first, mask)
    top = np.argsort(-np.where(mask, final, -9), 1, kind="stable")[:, :TOP]
    rows = np.arange(len(lines))[:, None]
    behind = np.where(mask, raw, 0)[rows, top] - raw.max(1, initial=-1e9, keepdims=True)
    features = np.concatenate([x[rows, top][..., -ABSOLUTE:], np.maximum(behind, FAR_BEHIND)[..., None]], -1)
    return features, exact[rows, top], mask[rows, top]


def word_answers(lines, x):
    """The first ten of every search by words: the features of words.ts, and whether they answer."""
    features, exact, there = np.zeros((len(lines), TOP, 2 + len(BY_WORDS))), np.zeros((len(lines), TOP)), np.zeros((len(lines), TOP), bool)
    for i, line in enumerate(lines):
        # Those beyond the first stage's fifty, one in seventy, have no features.
        found = sorted((-c[2], j, c[4]) for j, c in enumerate(line["candidates"][: len(line["first"])]) if c[2] is not None)[:TOP]
        for place, (share, j, answers) in enumerate(found):
            features[i, place] = [-share, found[0][0] - share, *x[i, j, BY_WORDS]]
            exact[i, place], there[i, place] = answers, True
    return features, exact, there


class Network:
    def __init__(self, width, hidden, start, seed):
        rng = np.random.default_rng(seed)
        self.p = {"skip": np.zeros(width), "inner": rng.normal(0, width**-0.5, (width, hidden)), "bias": np.zeros(hidden), "outer": rng.normal(0, 0.1, hidden), "offset": np.array(start)}

    def score(self, x):
        return x @ self.p["skip"] + np.tanh(x @ self.p["inner"] + self.p["bias"]) @ self.p["outer"] + self.p["offset"]

    def gradient(self, x, y, weight, decay):
        inside = np.tanh(x @ self.p["inner"] + self.p["bias"])
        d = weight * (sigmoid(self.score(x)) - y) / weight.sum()
        back = np.outer(d, self.p["outer"]) * (1 - inside**2)
        found = {"skip": x.T @ d, "inner": x.T @ back, "bias": back.sum(0), "outer": inside.T @ d, "offset": d.sum()}
        return {k: g + (decay * self.p[k] if k in ("skip", "inner", "outer") else 0) for k, g in found.items()}


def learn(x, y, weight, options):
    """The mean of several networks, written side by side as one."""
    several = []
    for seed in range(options.networks):
        network, rng = Network(x.shape[1], options.hidden, np.log(y.mean() / (1 - y.mean())), seed), np.random.default_rng(seed)
        first, second = ({k: np.zeros_like(v) for k, v in network.p.items()} for _ in range(2))
        step, total = 0, options.epochs * (len(x) // options.batch)
        for _ in range(options.epochs):
            order = rng.permutation(len(x))
            for at in range(0, len(x) - options.batch + 1, options.batch):
                pick, step = order[at : at + options.batch], step + 1
                for k, g in network.gradient(x[pick], y[pick], weight[pick], options.decay).items():
                    first[k], second[k] = 0.9 * first[k] + 0.1 * g, 0.99 * second[k] + 0.01 * g * g
                    network.p[k] = network.p[k] - options.rate * (1 - step / (total + 1)) * (first[k] / (1 - 0.9**step)) / (np.sqrt(second[k] / (1 - 0.99**step)) + 1e-8)
        several.append(network)
    joined = Network(x.shape[1], 0, 0, 0)
    joined.p = {
        "skip": np.mean([n.p["skip"] for n in several], 0),
        "inner": np.concatenate([n.p["inner"] for n in several], 1),
        "bias": np.concatenate([n.p["bias"] for n in several]),
        "outer": np.concatenate([n.p["outer"] for n in several]) / len(several),
        "offset": np.mean([n.p["offset"] for n in several]),
    }
    return joined


def question_weights(lines, strange):
    """Every kind of question counts the same, words picked out of a text less, and those of other collections their share of all."""
    kinds = [line["kind"] for line in lines]
    own = np.array([line["right"] > 0 for line in lines])
    share = {k: (PICKED if is_picked(k) else 1) / kinds.count(k) for k in set(kinds)}
    weight = np.array([share[k] for k in kinds])
    weight[own] *= (1 - strange) / weight[own].sum()
    weight[~own] *= strange / weight[~own].sum()
    return weight * len(lines)


def rank_auc(right, wrong):
    values = np.concatenate([right, wrong])
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return (ranks[: len(right)].sum() - len(right) * (len(right) + 1) / 2) / (len(right) * len(wrong))


def report(lines, probability, exact, there, weight, bounds):
    own = np.array([line["right"] > 0 for line in lines])
    best, w = probability.max(1), np.repeat(weight[:, None], TOP, 1)[there]
    p, y = probability[there], exact[there]
    print(f"hits: AUC {rank_auc(p[y > 0], p[y == 0]):.3f}; questions: AUC {rank_auc(best[own], best[~own]):.3f}")
    error, bins = 0, np.clip((p * 10).astype(int), 0, 9)
    for b in range(10):
        here = bins == b
        if here.any():
            said, was = np.average(p[here], weights=w[here]), np.average(y[here], weights=w[here])
            error += abs(said - was) * w[here].sum() / w.sum()
            print(f"  {b / 10:.1f}-{(b + 1) / 10:.1f}: {here.sum():7d} hits, said {said:.3f}, right {was:.3f}")
    print(f"expected calibration error {error:.4f}")
    asked = np.array([line["right"] > 0 and not is_picked(line["kind"]) for line in lines])
    for refused in (0.01, 0.015, 0.02, 0.03, 0.04, 0.05):
        bound = np.quantile(best[asked], refused)
        print(f"  {refused:.2%} of own questions refused, below {bound:.4f}: {np.mean(best[~own] < bound):.3f} of those of other collections")
    kinds = sorted({line["kind"] for line in lines})
    for name, bound in bounds.items():
        print(f"{name} below {bound:.4f}: " + ", ".join(f"{k} {np.mean(best[np.array([line['kind'] == k for line in lines])] < bound):.3f}" for k in kinds))
        print(f"  own questions below {np.mean(best[own] < bound):.3f}, of other collections {np.mean(best[~own] < bound):.3f}")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--development", required=True, help="prefix of the files of lists.ts")
    p.add_argument("--reranker", required=True, help="TypeScript file that rerank.py wrote")
    p.add_argument("--by-words", action="store_true", help="learn the network for searches by words alone")
    p.add_argument("--out", help="TypeScript file to write")
    p.add_argument("--hidden", type=int, default=8)
    p.add_argument("--networks", type=int, default=3)
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--batch", type=int, default=512)
    p.add_argument("--rate", type=float, default=0.01)
    p.add_argument("--decay", type=float, default=1e-4)
    options = p.parse_args()
    _, lines, x, _, mask = load(options.development)
    name = "WORDS" if options.by_words else "RELEVANCE"
    choices = CHOICES[name]
    features, exact, there = word_answers(lines, x) if options.by_words else answers(lines, x, mask, read_weights(options.reranker))
    mean, deviation = features[there].mean(0), features[there].std(0) + 1e-6
    z, weight = (features - mean) / deviation, question_weights(lines, choices.strange)
    per_hit = np.repeat(weight[:, None], TOP, 1)
    projects = sorted({line["shape"].split("-", 1)[1] for line in lines})
    group = np.array([projects.index(line["shape"].split("-", 1)[1]) % GROUPS for line in lines])

    probability = np.zeros(there.shape)
    for left_out in range(GROUPS):
        seen = there & (group != left_out)[:, None]
        network = learn(z[seen], exact[seen], per_hit[seen], options)
        probability[group == left_out] = sigmoid(network.score(z))[group == left_out]
    probability = np.where(there, probability, 0)
    asked = np.array([line["right"] > 0 and not is_picked(line["kind"]) for line in lines])
    best = probability.max(1)[asked]
    bounds = {"nothing": round(float(np.quantile(best, choices.refused)), 4), "weak": round(float(np.quantile(best, choices.weak)), 4)}
    report(lines, probability, exact, there, weight, bounds)
    if not options.out:
        return
    network = learn(z[there], exact[there], per_hit[there], options)
    numbers = constant(name, network, (mean, deviation), (1.0, float(network.p["offset"])), np.ones(z.shape[-1], bool))
    says = "/** The best relevance of an answer below which it holds nothing relevant, and below which it is weak. */\n"
    write(options.out, "relevance", [numbers, f"{says}export const {name}_BOUNDS = {json.dumps(bounds)};\n"])


if __name__ == "__main__":
    main()
