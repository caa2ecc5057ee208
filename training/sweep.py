"""Tries variations of the training on the development sets, one after another in one process, and prints a line for each.

Every variation is a line of train.py options in the file given by --variations; the time budget stops the list early.
"""

import argparse
import json
import os
import shlex
import sys
import time

import torch

import evaluate
import train
from export import quantize
from text import Tokenizer, read_vocabulary


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--data", required=True)
    p.add_argument("--vocab", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--cache")
    p.add_argument("--variations", required=True)
    p.add_argument("--seconds", type=float, default=480)
    own = p.parse_args()
    tokenizer, device = Tokenizer(read_vocabulary(own.vocab)), torch.device("cuda")
    arrays, sections, qa = train.load(own, tokenizer)
    train.log("encoded")
    corpus = train.Corpus(arrays, device)
    sets = evaluate.development_sets(sections, qa)
    words = {name: evaluate.words_runs(*s) for name, s in sets.items()}
    train.log("sets ready")
    known, results, longest = {}, [], 0
    for line in open(own.variations).read().strip().split("\n"):
        began = time.time()
        if began - train.STARTED + longest > own.seconds:
            train.log("no time for", line)
            continue
        sys.argv = ["train.py", "--data", own.data, "--vocab", own.vocab, "--out", own.out, "--hold-out", *shlex.split(line)]
        options = train.parse_options()
        vectors = train.train(corpus, train.usable_records(arrays, options, device), tokenizer.pieces, options, device)
        trained = time.time() - began
        codes, scales = quantize(vectors)
        table = evaluate.score(sets, words, train.embedder(tokenizer, codes * scales[:, None], known))
        longest = max(longest, time.time() - began)
        results.append({"line": line, "table": table, "seconds": trained})
        train.log("RESULT", line, "|", round(trained, 1), "s |", brief(evaluate.summary(table)))
        with open(os.path.join(own.out, "sweep.json"), "w") as file:
            json.dump(results, file)


def brief(kinds):
    return " ".join(
        f"{kind}: {row['meaning']:.4f} best {max(v for k, v in row.items() if k.startswith('mix')):.4f} " + "/".join(f"{v:.3f}" for k, v in row.items() if k.startswith("mix"))
        for kind, row in kinds.items()
    )


if __name__ == "__main__":
    main()
