"""Learns the WordPiece vocabulary from the training text and writes one piece per line. Needs the `tokenizers` package; minutes on a CPU."""

import argparse
import multiprocessing
import string
from collections import Counter

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from data import FILES, held_out, read_lines, record_texts
from text import MAX_PART, parts, units


def count_words(lines):
    words = Counter()
    for line in lines:
        for text in record_texts(line):
            for run in units(text):
                if run.isascii():
                    words.update(p for p in parts(run) if len(p) <= MAX_PART)
    return words


def learn(words, size):
    """A word is fed as often as it occurs, damped for the very frequent ones, which cannot change which merges are made first."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=MAX_PART))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=size + 1, special_tokens=["[UNK]"], min_frequency=3, show_progress=False,
        initial_alphabet=list(string.ascii_lowercase + string.digits),
    )
    texts = (" ".join([word] * min(count, 5000)) for word, count in sorted(words.items()) if count >= 3)
    tokenizer.train_from_iterator(texts, trainer)
    learned = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    return [piece for piece, _ in learned if piece != "[UNK]"]


def complete(pieces, size):
    """Single characters must all be there, at a word's start and inside it, so that every ASCII word has ids."""
    letters = string.ascii_lowercase + string.digits
    needed = [c for c in letters] + ["##" + c for c in letters]
    kept = [p for p in pieces if p not in set(needed)][: size - len(needed)]
    return needed + kept


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", required=True, help="folder with the training files")
    arguments.add_argument("--out", required=True, help="vocabulary file to write")
    arguments.add_argument("--size", type=int, default=54000)
    arguments.add_argument("--hold-out", action="store_true", help="leave the development projects out, so that their words are as unknown as anybody's")
    options = arguments.parse_args()
    files = [read_lines(options.data, name) for name in FILES]
    lines = [line for file in files for line, out in zip(file, held_out(file)) if not (options.hold_out and out)]
    blocks = [lines[i : i + 4000] for i in range(0, len(lines), 4000)]
    with multiprocessing.Pool() as pool:
        words = sum(pool.imap(count_words, blocks), Counter())
    pieces = complete(learn(words, options.size), options.size)
    with open(options.out, "w", encoding="utf-8") as file:
        file.write("\n".join(pieces))
    print(len(words), "words,", len(pieces), "pieces,", sum(p.startswith("##") for p in pieces), "continuations")


if __name__ == "__main__":
    main()
