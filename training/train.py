"""Trains the built-in static embedding: a vector per piece, a text is the normalised, weighted sum of its pieces' vectors.

In-batch contrastive loss at 256, 128 and 64 dimensions over (heading, title + heading, path, sentence, question) -> section pairs.
All tokens live on the GPU and batches are cut out of them there, so that a step costs milliseconds. See README.md for how to run it.
"""

import argparse
import json
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

import evaluate
from data import FIELDS, encode, held_out, read_lines
from export import quantize, write_golden, write_weights
from pooling import early, repeated, token_weights
from text import BUCKETS, Tokenizer, read_vocabulary

SIZES = (256, 128, 64)
MOST_ROWS = 65536
STARTED = time.time()


def log(*values):
    print(f"[{time.time() - STARTED:6.1f}]", *values, flush=True)


def parse_options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--data", required=True, help="folder with sections.jsonl.xz and qa.jsonl.xz")
    p.add_argument("--vocab", required=True, help="vocabulary file written by vocab.py")
    p.add_argument("--out", required=True, help="folder for the results")
    p.add_argument("--cache", help="file to keep the encoded training text in between runs")
    p.add_argument("--eval", help="folder with the evaluation sets: only for the final report")
    p.add_argument("--hold-out", action="store_true", help="leave the development projects out of training")
    p.add_argument("--name", default="model")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--steps", type=int, default=1500)
    p.add_argument("--batch", type=int, default=4096)
    p.add_argument("--rate", type=float, default=0.0025)
    p.add_argument("--temperature", type=float, default=0.05)
    p.add_argument("--dropout", type=float, default=0.35, help="share of the document tokens left out")
    p.add_argument("--query-dropout", type=float, default=0.0)
    p.add_argument("--run", type=int, default=8, help="consecutive sections per draw: hard negatives from the same page")
    p.add_argument("--kinds", type=float, nargs=4, default=[0.4, 0.1, 0.15, 0.35], help="title+heading, path, heading, sentence")
    p.add_argument("--prefix", type=float, default=0.3, help="share of documents that start with their heading path")
    p.add_argument("--qa-weight", type=int, default=3)
    p.add_argument("--init-std", type=float, default=0.1)
    p.add_argument("--init-stem", type=float, default=0.5, help="share of the first vector that words of one stem have in common")
    p.add_argument("--init-idf", type=float, default=1.0, help="how far the first norms follow the rarity of the pieces")
    return p.parse_args()


def load(options, tokenizer):
    sections, qa = read_lines(options.data, "sections"), read_lines(options.data, "qa")
    if options.cache and os.path.exists(options.cache):
        arrays = dict(np.load(options.cache))
    else:
        arrays = encode(sections + qa, tokenizer)
        arrays["held_out"] = np.concatenate([held_out(sections), held_out(qa)])
        arrays["sections"] = np.array(len(sections))
        if options.cache:
            np.savez(options.cache, **arrays)
    return arrays, sections, qa


class Corpus:
    """Every field's tokens in one flat array on the device, with the start and length of each record's part."""

    def __init__(self, arrays, device):
        as_tensor = lambda a: torch.from_numpy(np.asarray(a).astype(np.int64)).to(device)
        self.tokens = as_tensor(np.concatenate([arrays[f] for f in FIELDS]))
        self.start, self.length, base = {}, {}, 0
        for field in FIELDS:
            length = arrays[field + "_length"].astype(np.int64)
            self.length[field] = as_tensor(length)
            self.start[field] = as_tensor(base + np.cumsum(length) - length)
            base += len(arrays[field])
        counts, sizes = arrays["sentence_count"].astype(np.int64), arrays["sentence_length"].astype(np.int64)
        self.sentence_count, self.first_sentence = as_tensor(counts), as_tensor(np.cumsum(counts) - counts)
        body_base = base - len(arrays["body"])
        self.sentence_start, self.sentence_length = as_tensor(body_base + np.cumsum(sizes) - sizes), as_tensor(sizes)


def usable_records(arrays, options, device):
    """Positions of the records to train on; questions with answers are few and count several times."""
    usable = (arrays["body_length"] > 0) & (arrays["heading_length"] > 0)
    if options.hold_out:
        usable &= ~arrays["held_out"]
    positions = np.flatnonzero(usable)
    answered = positions[positions >= int(arrays["sections"])]
    return torch.from_numpy(np.concatenate([positions] + [answered] * (options.qa_weight - 1))).to(device)


def draw(pool, options, generator):
    """Records of a batch: runs of neighbours, so that other sections of the same page are among the negatives."""
    runs = options.batch // options.run
    first = torch.randint(len(pool) - options.run, (runs,), generator=generator, device=pool.device)
    return pool[(first[:, None] + torch.arange(options.run, device=pool.device)).flatten()]


def pairs(corpus, records, options, generator):
    """Spans (start, length) of the queries and the documents, and the span of the document that is the query itself."""
    n, device = len(records), records.device
    uniform = lambda: torch.rand(n, generator=generator, device=device)
    part = lambda field, keep: (corpus.start[field][records], torch.where(keep, corpus.length[field][records], 0))
    kind = torch.bucketize(uniform(), torch.tensor(options.kinds, device=device).cumsum(0)[:3])
    counts = corpus.sentence_count[records]
    kind = torch.where((kind == 3) & (counts < 3), 0, kind)
    chosen = corpus.first_sentence[records] + (uniform() * counts).long().clamp(max=(counts - 1).clamp(min=0))
    chosen = chosen.clamp(max=len(corpus.sentence_start) - 1)
    sentence = corpus.sentence_start[chosen], torch.where(kind == 3, corpus.sentence_length[chosen], 0)
    queries = [part("title", kind == 0), part("heading", (kind == 0) | (kind == 2)), part("path", kind == 1), sentence]
    prefix = uniform() < options.prefix
    documents = [part("path", prefix & (kind == 3)), part("title", prefix & (kind == 2)), part("body", kind >= 0)]
    hidden = sentence[0], torch.where(uniform() < 0.9, sentence[1], 0)
    return queries, documents, hidden


def bag(corpus, spans, dropout, generator, hidden=None):
    """The spans' tokens as (tokens, offsets, weights of pooling.py); tokens dropped at random or inside `hidden` weigh nothing."""
    start = torch.stack([s for s, _ in spans], 1).flatten()
    length = torch.stack([n for _, n in spans], 1).flatten()
    segment = torch.repeat_interleave(torch.arange(len(length), device=length.device), length)
    before = length.cumsum(0) - length
    position = torch.arange(len(segment), device=length.device) - before[segment] + start[segment]
    kept = torch.rand(len(position), generator=generator, device=length.device) >= dropout
    owner = segment // len(spans)
    if hidden is not None:
        kept &= (position < hidden[0][owner]) | (position >= (hidden[0] + hidden[1])[owner])
    tokens, offsets = corpus.tokens[position], before.view(-1, len(spans))[:, 0].contiguous()
    place = torch.arange(len(segment), device=length.device) - offsets[owner]
    _, inverse, counts = torch.unique(owner[kept] * MOST_ROWS + tokens[kept], return_inverse=True, return_counts=True)
    weights = torch.zeros(len(tokens), device=length.device)
    weights[kept] = early(place[kept].float()) * repeated(counts[inverse].float())
    return tokens, offsets, weights


def text_keys(tokens, offsets, count, device):
    """A number per text that is equal for equal texts, to keep twins from being each other's negatives."""
    noise = torch.rand(count, generator=torch.Generator(device).manual_seed(3), device=device, dtype=torch.float64)
    cumulative = F.pad(noise[tokens].cumsum(0), (1, 0))
    ends = torch.cat([offsets[1:], torch.tensor([len(tokens)], device=device)])
    return ((cumulative[ends] - cumulative[offsets]) * 1e6).round().long()


def contrastive(queries, documents, scale, twins):
    """Cross entropy of finding each other's partner, at every size."""
    target, loss = torch.arange(len(queries), device=queries.device), 0
    for size in SIZES:
        a, b = F.normalize(queries[:, :size], dim=-1), F.normalize(documents[:, :size], dim=-1)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = a @ b.T
        logits = (logits.float() * scale).masked_fill(twins, -1e4)
        loss = loss + (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2
    return loss / len(SIZES)


def stem(piece):
    for suffix in ("ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "ly", "e", "s"):
        if piece.endswith(suffix) and len(piece) - len(suffix) >= 4:
            return piece[: -len(suffix)]
    return piece


def rarity(corpus, rows):
    """Inverse document frequency of every row over the bodies, with a mean of 1."""
    start, length = corpus.start["body"], corpus.length["body"]
    record = torch.repeat_interleave(torch.arange(len(length), device=length.device), length)
    seen = torch.unique(record * rows + corpus.tokens[int(start[0]) :]) % rows
    idf = torch.log1p(len(length) / (torch.bincount(seen, minlength=rows).float() + 1))
    return idf / idf.mean()


def first_vectors(corpus, pieces, options, generator):
    device = corpus.tokens.device
    rows = len(pieces) + BUCKETS
    own = torch.randn(rows, SIZES[0], generator=generator, device=device)
    stems = {s: i for i, s in enumerate(dict.fromkeys(stem(p) for p in pieces))}
    common = torch.randn(len(stems) + BUCKETS, SIZES[0], generator=generator, device=device)
    index = [stems[stem(p)] for p in pieces] + [len(stems) + i for i in range(BUCKETS)]
    share = options.init_stem
    mixed = own * (1 - share) ** 0.5 + common[torch.tensor(index, device=device)] * share**0.5
    return mixed * options.init_std * rarity(corpus, rows)[:, None] ** options.init_idf


def train(corpus, pool, pieces, options, device):
    generator = torch.Generator(device).manual_seed(options.seed)
    vectors = torch.nn.Parameter(first_vectors(corpus, pieces, options, generator))
    scale = torch.nn.Parameter(torch.tensor(1 / options.temperature, device=device).log())
    groups = [{"params": [vectors]}, {"params": [scale], "lr": 0.001}]
    adam = torch.optim.Adam(groups, lr=options.rate, betas=(0.9, 0.98))
    rate = torch.optim.lr_scheduler.LambdaLR(adam, lambda s: min(1, (s + 1) / 50) * max(0.01, 1 - s / options.steps))
    for step in range(options.steps):
        records = draw(pool, options, generator)
        queries, documents, hidden = pairs(corpus, records, options, generator)
        q, q_offsets, q_weights = bag(corpus, queries, options.query_dropout, generator)
        d, d_offsets, d_weights = bag(corpus, documents, options.dropout, generator, hidden)
        keys = text_keys(q, q_offsets, len(vectors), device)
        twins = (keys[:, None] == keys) | (records[:, None] == records)
        twins.fill_diagonal_(False)
        embedded = F.embedding_bag(q, vectors, q_offsets, mode="sum", per_sample_weights=q_weights)
        texts = F.embedding_bag(d, vectors, d_offsets, mode="sum", per_sample_weights=d_weights)
        loss = contrastive(embedded, texts, scale.exp().clamp(max=100), twins)
        adam.zero_grad(set_to_none=True)
        loss.backward()
        adam.step()
        rate.step()
        if step % 500 == 0 or step == options.steps - 1:
            log(options.name, "step", step, "loss", round(loss.item(), 4), "temperature", round(1 / scale.exp().item(), 4))
    return vectors.detach().cpu().numpy()


def embedder(tokenizer, vectors, known, size=SIZES[0]):
    """Texts to unit vectors, on the CPU; `known` remembers token ids between calls."""

    def embed(texts):
        out = np.zeros((len(texts), size), np.float32)
        for i, text in enumerate(texts):
            ids = known.get(text)
            if ids is None:
                ids = known[text] = np.array(tokenizer.encode(text), np.int64)
            if len(ids):
                out[i] = token_weights(ids) @ vectors[ids, :size]
        return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)

    return embed


def main():
    options = parse_options()
    torch.manual_seed(options.seed)
    os.makedirs(options.out, exist_ok=True)
    pieces = read_vocabulary(options.vocab)
    tokenizer = Tokenizer(pieces)
    arrays, sections, qa = load(options, tokenizer)
    log("encoded", {f: len(arrays[f]) for f in FIELDS})
    device = torch.device("cuda")
    corpus = Corpus(arrays, device)
    pool = usable_records(arrays, options, device)
    vectors = train(corpus, pool, pieces, options, device)
    log("trained on", len(torch.unique(pool)), "records")
    report(options, tokenizer, vectors, (sections, qa))


def report(options, tokenizer, vectors, lines):
    codes, scales = quantize(vectors)
    exact = codes * scales[:, None]
    results, known = {"options": vars(options)}, {}
    sets = {}
    if options.hold_out:
        sets["development"] = evaluate.development_sets(*lines)
    if options.eval:
        sets["evaluation"] = evaluate.evaluation_sets(options.eval)
    for kind, group in sets.items():
        words = {name: evaluate.words_runs(*s) for name, s in group.items()}
        for size in (256, 128) if kind == "evaluation" else (256,):
            table = evaluate.score(group, words, embedder(tokenizer, exact, known, size))
            results[f"{kind}-{size}"] = table
            log(options.name, kind, size, json.dumps(evaluate.summary(table)))
    if options.eval:
        results["stsb"] = evaluate.similarity(options.eval, embedder(tokenizer, exact, known))
        log(options.name, "stsb", results["stsb"])
    with open(os.path.join(options.out, options.name + ".json"), "w") as file:
        json.dump(results, file, indent=1)
    write_weights(os.path.join(options.out, options.name + ".bin"), tokenizer.pieces, codes, scales)
    write_golden(os.path.join(options.out, options.name + ".golden.json"), tokenizer, exact)


if __name__ == "__main__":
    main()
