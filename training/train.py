"""Trains the built-in static embedding: a vector per piece, a text is the normalised, weighted sum of its pieces' vectors.

In-batch contrastive loss at 256, 128 and 64 dimensions over (heading, title + heading, path, sentence, question) -> section pairs. The target
is half the true partner and half what two sentence encoders (teacher.py) think of every pair in the batch, so that a static model learns
which other texts are nearly right. All tokens and the teachers' vectors live on the GPU. See README.md for how to run it.
"""

import argparse
import json
import multiprocessing
import os
import shlex
import time

import numpy as np
import torch
import torch.nn.functional as F

import evaluate
import teacher as teachers
from data import FIELDS, FILES, encode, fields, held_out, read_lines, sentences
from export import quantize, write_golden, write_weights
from pooling import early, repeated, token_weights
from text import BUCKETS, Tokenizer, read_vocabulary

SIZES = (256, 128, 64)
MOST_ROWS = 65536
STARTED = time.time()
SHARPNESS = {"bge": 0.02, "minilm": 0.05}  # temperatures of the teachers' cosines
PICKED = 3  # sentences per record that the teacher has read


def log(*values):
    print(f"[{time.time() - STARTED:6.1f}]", *values, flush=True)


def options_parser():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--name", default="model")
    p.add_argument("--hold-out", action="store_true", help="leave the development records out of training")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--steps", type=int, default=4000)
    p.add_argument("--batch", type=int, default=4096)
    p.add_argument("--rate", type=float, default=0.0025)
    p.add_argument("--temperature", type=float, default=0.05)
    p.add_argument("--dropout", type=float, default=0.35)
    p.add_argument("--run", type=int, default=8)
    p.add_argument("--kinds", type=float, nargs=4, default=[0.4, 0.1, 0.15, 0.35])
    p.add_argument("--prefix", type=float, default=0.3)
    p.add_argument("--qa-weight", type=int, default=3)
    p.add_argument("--general", type=float, default=0.35, help="share of the draws that come from general text")
    p.add_argument("--wordnet", type=float, default=0.05)
    p.add_argument("--soft", type=float, default=0.5, help="share of the target that follows the teacher")
    p.add_argument("--init-std", type=float, default=0.1)
    p.add_argument("--init-stem", type=float, default=0.5)
    p.add_argument("--init-idf", type=float, default=1.0)
    p.add_argument("--init-teacher", type=float, default=0.8, help="share of the first vector taken from the teacher's reading of the piece alone")
    return p


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


def teacher_texts(job):
    """The texts of a block of records as the teacher reads them: title + heading, path, heading, PICKED sentences; and the body."""
    lines, seed = job
    rng = np.random.default_rng(seed)
    queries, picked, bodies = [], [], []
    for line in lines:
        title, heading, path, body = fields(json.loads(line))
        found = sentences(body)
        chosen = rng.integers(0, len(found), PICKED)
        queries += [(title + " " + heading).strip(), path, heading] + [found[c] for c in chosen]
        picked.append(chosen)
        bodies.append(body)
    return queries, np.array(picked, np.int64), bodies


class Teacher:
    def __init__(self, lines, folder, device, cache=None):
        if cache and os.path.exists(cache):
            kept = torch.load(cache, map_location=device)
            self.picked, self.inverse, self.queries, self.bodies = kept
            self.models = {kind: teachers.load(kind, folder, device) for kind in teachers.LAYERS}
            log("teacher from", cache)
            return
        blocks = [(lines[i : i + 4000], i) for i in range(0, len(lines), 4000)]
        with multiprocessing.Pool() as pool:
            done = pool.map(teacher_texts, blocks, chunksize=1)
        queries = [q for d in done for q in d[0]]
        bodies = [b for d in done for b in d[2]]
        self.picked = torch.from_numpy(np.concatenate([d[1] for d in done])).to(device)
        log("teacher texts", len(queries), len(bodies))
        unique, inverse = np.unique(np.array(queries, dtype=object), return_inverse=True)
        q_ids = teachers.tokenize([teachers.INSTRUCTION + u for u in unique], folder, 80)
        d_ids = teachers.tokenize(bodies, folder, 256)
        log("teacher tokens", sum(map(len, q_ids)), sum(map(len, d_ids)), "unique queries", len(unique))
        skip = len(teachers.tokenize([teachers.INSTRUCTION], folder, 80)[0]) - 2
        plain = [np.concatenate([x[:1], x[1 + skip :]]) for x in q_ids]
        self.inverse = torch.from_numpy(inverse.reshape(-1, 3 + PICKED)).to(device)
        self.queries, self.bodies, self.models = {}, {}, {}
        for kind in teachers.LAYERS:
            model = teachers.load(kind, folder, device)
            self.queries[kind] = teachers.embed(model, kind, q_ids if kind == "bge" else plain, device)
            self.bodies[kind] = teachers.embed(model, kind, d_ids, device)
            self.models[kind] = model
            log("teacher", kind, "read everything")
        if cache:
            torch.save((self.picked, self.inverse, self.queries, self.bodies), cache)
            log("teacher kept")

    def likeness(self, records, kind, column):
        """What the teachers think of every query and document of a batch, on the scale of logits."""
        asked = self.inverse[records, torch.where(kind == 3, 3 + column, kind)]
        parts = [self.queries[k][asked].float() @ self.bodies[k][records].float().T / SHARPNESS[k] for k in self.bodies]
        return sum(parts) / len(parts)


class Pool:
    """Draws records as runs of neighbours, so that other sections of the same page are among the negatives."""

    def __init__(self, arrays, options, device):
        usable = (arrays["body_length"] > 0) & (arrays["heading_length"] > 0)
        if options.hold_out:
            usable &= ~arrays["held_out"]
        tensor = lambda a: torch.from_numpy(a).to(device)
        group = arrays["group"]
        docs = np.flatnonzero(usable & (group == 0))
        qa = np.flatnonzero(usable & (group == 1))
        self.parts = [
            (tensor(np.concatenate([docs] + [qa] * options.qa_weight)), 1 - options.general - options.wordnet),
            (tensor(np.flatnonzero(usable & (group == 2))), options.general),
            (tensor(np.flatnonzero(usable & (group == 3))), options.wordnet),
        ]
        self.usable = int(usable.sum())

    def draw(self, options, generator):
        runs = [int(round(options.batch * share / options.run)) for _, share in self.parts]
        runs[0] = options.batch // options.run - sum(runs[1:])
        out = []
        for (pool, _), count in zip(self.parts, runs):
            first = torch.randint(len(pool) - options.run, (count,), generator=generator, device=pool.device)
            out.append(pool[(first[:, None] + torch.arange(options.run, device=pool.device)).flatten()])
        return torch.cat(out)


def pairs(corpus, records, options, generator, picked):
    """Spans (start, length) of the queries and the documents, the part of the document that is the query, and which query was taken."""
    n, device = len(records), records.device
    uniform = lambda: torch.rand(n, generator=generator, device=device)
    part = lambda field, keep: (corpus.start[field][records], torch.where(keep, corpus.length[field][records], 0))
    kind = torch.bucketize(uniform(), torch.tensor(options.kinds, device=device).cumsum(0)[:3])
    counts = corpus.sentence_count[records]
    kind = torch.where((kind == 3) & (counts < 3), 0, kind)
    column = (uniform() * PICKED).long().clamp(max=PICKED - 1)
    chosen = corpus.first_sentence[records] + picked[records, column]
    kind = torch.where((kind == 3) & (corpus.sentence_length[chosen] < 3), 0, kind)
    sentence = corpus.sentence_start[chosen], torch.where(kind == 3, corpus.sentence_length[chosen], 0)
    queries = [part("title", kind == 0), part("heading", (kind == 0) | (kind == 2)), part("path", kind == 1), sentence]
    prefix = uniform() < options.prefix
    documents = [part("path", prefix & (kind == 3)), part("title", prefix & (kind == 2)), part("body", kind >= 0)]
    hidden = sentence[0], torch.where(uniform() < 0.9, sentence[1], 0)
    return queries, documents, hidden, kind, column


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


def cosines(a, b):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return (a @ b.T).float()


def soft_cross_entropy(logits, target):
    return -(target * F.log_softmax(logits, -1)).sum(-1).mean()


def loss_of(queries, documents, scale, twins, like, soft):
    """Cross entropy with targets that are part the true partner, part the teacher's distribution, both ways, at every size."""
    partner, masked, loss = torch.eye(len(queries), device=queries.device), like.masked_fill(twins, -1e4), 0
    rows = (1 - soft) * partner + soft * masked.softmax(-1)
    columns = (1 - soft) * partner + soft * masked.T.softmax(-1)
    for size in SIZES:
        a, b = F.normalize(queries[:, :size], dim=-1), F.normalize(documents[:, :size], dim=-1)
        logits = (cosines(a, b) * scale).masked_fill(twins, -1e4)
        loss = loss + (soft_cross_entropy(logits, rows) + soft_cross_entropy(logits.T, columns)) / 2
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
    idf = idf / idf.mean()
    idf[rows - BUCKETS :] = 1  # many words share a hashed row: how often it occurs says nothing
    return idf


def first_vectors(corpus, pieces, teacher, options, generator, folder):
    device = corpus.tokens.device
    rows = len(pieces) + BUCKETS
    own = torch.randn(rows, SIZES[0], generator=generator, device=device)
    stems = {s: i for i, s in enumerate(dict.fromkeys(stem(p) for p in pieces))}
    common = torch.randn(len(stems) + BUCKETS, SIZES[0], generator=generator, device=device)
    index = [stems[stem(p)] for p in pieces] + [len(stems) + i for i in range(BUCKETS)]
    share = options.init_stem
    mixed = own * (1 - share) ** 0.5 + common[torch.tensor(index, device=device)] * share**0.5
    if options.init_teacher > 0:
        whole = [i for i, p in enumerate(pieces) if not p.startswith("##") and len(p) > 2]
        kind = "bge" if "bge" in teacher.models else "minilm"
        read = teachers.embed(teacher.models[kind], kind, teachers.tokenize([pieces[i] for i in whole], folder, 16), device).float()
        read = read - read.mean(0)
        _, _, v = torch.linalg.svd(read[::2], full_matrices=False)
        reduced = read @ v[: SIZES[0]].T
        reduced = reduced / reduced.std(0, keepdim=True)
        t, at = options.init_teacher, torch.tensor(whole, device=device)
        mixed[at] = mixed[at] * (1 - t) ** 0.5 + reduced * t**0.5
    return mixed * options.init_std * rarity(corpus, rows)[:, None] ** options.init_idf


def train(corpus, pool, teacher, pieces, options, device, folder):
    generator = torch.Generator(device).manual_seed(options.seed)
    vectors = torch.nn.Parameter(first_vectors(corpus, pieces, teacher, options, generator, folder))
    scale = torch.nn.Parameter(torch.tensor(1 / options.temperature, device=device).log())
    groups = [{"params": [vectors]}, {"params": [scale], "lr": 0.001}]
    adam = torch.optim.Adam(groups, lr=options.rate, betas=(0.9, 0.98))
    rate = torch.optim.lr_scheduler.LambdaLR(adam, lambda s: min(1, (s + 1) / 50) * max(0.01, 1 - s / options.steps))
    for step in range(options.steps):
        records = pool.draw(options, generator)
        queries, documents, hidden, kind, column = pairs(corpus, records, options, generator, teacher.picked)
        q, q_offsets, q_weights = bag(corpus, queries, 0.0, generator)
        d, d_offsets, d_weights = bag(corpus, documents, options.dropout, generator, hidden)
        keys = text_keys(q, q_offsets, len(vectors), device)
        twins = (keys[:, None] == keys) | (records[:, None] == records)
        twins.fill_diagonal_(False)
        with torch.no_grad():
            like = teacher.likeness(records, kind, column)
        embedded = F.embedding_bag(q, vectors, q_offsets, mode="sum", per_sample_weights=q_weights)
        texts = F.embedding_bag(d, vectors, d_offsets, mode="sum", per_sample_weights=d_weights)
        loss = loss_of(embedded, texts, scale.exp().clamp(max=100), twins, like, options.soft)
        adam.zero_grad(set_to_none=True)
        loss.backward()
        adam.step()
        rate.step()
        if step % 1000 == 0 or step == options.steps - 1:
            log(options.name, "step", step, "loss", round(loss.item(), 4), "temperature", round(1 / scale.exp().item(), 4))
    return vectors.detach()


class Sets:
    """Sets ready to be scored on the device: token ids with weights, and what the words find."""

    def __init__(self, sets, tokenizer, device):
        self.device, self.sets = device, {}
        jobs = [(tokenizer, name, corpus, queries) for name, (corpus, queries) in sets.items() if len(queries) > 4]
        with multiprocessing.Pool() as pool:
            for name, corpus, queries, runs, relevant in pool.imap_unordered(prepare, jobs, chunksize=1):
                self.sets[name] = corpus, queries, runs, relevant

    def score(self, vectors, size=256, mixes=(0.15, 0.3)):
        table = {}
        for name, (corpus, queries, runs, relevant) in sorted(self.sets.items()):
            d, q = (self.embed(x, vectors, size) for x in (corpus, queries))
            found = (q @ d.T).topk(min(100, len(d)), dim=1)
            values, places = found.values.cpu().numpy(), found.indices.cpu().numpy()
            row = {"words": [], "meaning": [], **{f"mix{w}": [] for w in mixes}}
            for i, right in enumerate(relevant):
                meaning = {int(p): float(v) for p, v in zip(places[i], values[i])}
                row["words"].append(evaluate.ndcg(evaluate.ranked(runs[i]), right))
                row["meaning"].append(evaluate.ndcg(list(meaning), right))
                a, b = evaluate.scaled(runs[i]), evaluate.scaled(meaning)
                for w in mixes:
                    mixed = {x: (1 - w) * a.get(x, 0) + w * b.get(x, 0) for x in a.keys() | b.keys()}
                    row[f"mix{w}"].append(evaluate.ndcg(evaluate.ranked(mixed), right))
            table[name] = {k: round(float(np.mean(v)), 4) for k, v in row.items()}
        return table

    def embed(self, packed, vectors, size):
        tokens, offsets, weights = (torch.from_numpy(x).to(self.device) for x in packed)
        return F.normalize(F.embedding_bag(tokens, vectors[:, :size].contiguous(), offsets, mode="sum", per_sample_weights=weights), dim=-1)


def pack(tokenizer, texts):
    ids = [np.array(tokenizer.encode(t), np.int64) for t in texts]
    weights = [token_weights(i) if len(i) else np.zeros(0) for i in ids]
    lengths = np.array([len(i) for i in ids], np.int64)
    return np.concatenate(ids), np.cumsum(lengths) - lengths, np.concatenate(weights).astype(np.float32)


def prepare(job):
    tokenizer, name, corpus, queries = job
    return name, pack(tokenizer, corpus), pack(tokenizer, [q for q, _ in queries]), evaluate.words_runs(corpus, queries), [r for _, r in queries]


def main():
    p = options_parser()
    p.add_argument("--data", required=True, help="folder with the training files")
    p.add_argument("--teachers", required=True, help="folder that teacher.py wrote")
    p.add_argument("--vocab", required=True, help="vocabulary file written by vocab.py")
    p.add_argument("--out", required=True, help="folder for the results")
    p.add_argument("--cache", help="file to keep the teachers' vectors in between runs")
    p.add_argument("--eval", help="folder with the evaluation sets: only for the final report")
    p.add_argument("--variations", help="file with a line of options per variation: each is trained and scored on the development sets")
    own = p.parse_args()
    device = torch.device("cuda")
    os.makedirs(own.out, exist_ok=True)
    pieces = read_vocabulary(own.vocab)
    tokenizer = Tokenizer(pieces)
    files = [read_lines(own.data, name) for name in FILES]
    lines = [line for file in files for line in file]
    flags = np.concatenate([held_out(file) for file in files])
    log("read", {n: len(f) for n, f in zip(FILES, files)}, "held out", int(flags.sum()))
    arrays = encode(lines, tokenizer)
    arrays["held_out"], arrays["group"] = flags, np.concatenate([np.full(len(file), i) for i, file in enumerate(files)])
    sets = {}
    if own.hold_out or own.variations:
        sets["development"] = Sets(evaluate.development_sets(files, flags), tokenizer, device)
    if own.eval:
        sets["evaluation"] = Sets(evaluate.evaluation_sets(own.eval), tokenizer, device)
    corpus = Corpus(arrays, device)
    teacher = Teacher(lines, own.teachers, device, own.cache)
    results = []
    for line in open(own.variations).read().strip().split("\n") if own.variations else [None]:
        options = own if line is None else options_parser().parse_args(["--hold-out", *shlex.split(line)])
        vectors = train(corpus, Pool(arrays, options, device), teacher, pieces, options, device, own.teachers)
        codes, scales = quantize(vectors.cpu().numpy())
        exact = codes * scales[:, None]
        result = {"options": vars(options)}
        for kind, group in sets.items():
            result[kind] = group.score(torch.from_numpy(exact).to(device))
            log(options.name, kind, json.dumps(evaluate.summary(result[kind])))
        results.append(result)
        with open(os.path.join(own.out, own.name + ".json"), "w") as file:
            json.dump(results, file, indent=1)
    if not own.variations:
        write_weights(os.path.join(own.out, own.name + ".bin"), pieces, codes, scales)
        write_golden(os.path.join(own.out, own.name + ".golden.json"), tokenizer, exact)


if __name__ == "__main__":
    main()
