"""Turns general, permissively licensed text into training records of the two shapes of data.py.

Reads git directories named `<owner>+<repository>/repo` (bare is fine): OpenStax textbooks at their last commit under CC-BY, eLife articles
(CC-BY or CC0) and abstracts of the ACL Anthology from 2016 on (CC-BY). Writes general.jsonl.xz (sections and question/answer pairs, each
with where it came from) and, from WordNet's database files, wordnet.jsonl.xz (words of one meaning to its gloss).
"""

import argparse
import gzip
import json
import lzma
import os
import random
import re
import subprocess
import xml.etree.ElementTree as ET
from multiprocessing import Pool

MOST = 1400
LEAST = 120


def git(folder, *words):
    return subprocess.run(["git", "--git-dir", folder, *words], check=True, capture_output=True).stdout.decode("utf-8", "replace")


def licence_is_attribution(folder, commit):
    try:
        first = git(folder, "show", f"{commit}:LICENSE").split("\n", 1)[0]
    except subprocess.CalledProcessError:
        return False
    return first.strip() in ("Attribution 4.0 International", "CC-BY 4.0")


def last_attribution_commit(folder):
    """The newest commit whose LICENSE is CC-BY: later ones of some books are non-commercial, and such a change cannot reach back."""
    if licence_is_attribution(folder, "HEAD"):
        return git(folder, "rev-parse", "HEAD").strip()
    for commit in git(folder, "log", "--format=%H", "--", "LICENSE").split():
        if not licence_is_attribution(folder, commit):
            if licence_is_attribution(folder, commit + "~1"):
                return git(folder, "rev-parse", commit + "~1").strip()
    return None


def blobs(folder, commit, wanted):
    names = [n for n in git(folder, "ls-tree", "-r", "--name-only", commit).split("\n") if wanted(n)]
    process = subprocess.Popen(["git", "--git-dir", folder, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for name in names:
        process.stdin.write(f"{commit}:{name}\n".encode())
        process.stdin.flush()
        head = process.stdout.readline().split()
        if len(head) != 3:
            continue
        data = process.stdout.read(int(head[2]))
        process.stdout.read(1)
        yield name, data
    process.stdin.close()
    process.wait()


def local(tag):
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def collapse(text):
    return re.sub(r"\s+", " ", text).strip()


def plain(node, skip=frozenset()):
    """The text of a node, without the elements named in `skip`."""
    parts = []

    def walk(n):
        if local(n.tag) in skip:
            return
        if n.text:
            parts.append(n.text)
        for child in n:
            walk(child)
            if child.tail:
                parts.append(child.tail)

    walk(node)
    return collapse("".join(parts))


# ---- OpenStax (CNXML)

ASIDE = frozenset({"figure", "table", "note", "exercise", "equation", "math", "media", "footnote", "metadata", "glossary", "example", "label"})


def cnxml(job):
    project, data = job
    try:
        root = ET.fromstring(data)
    except ET.ParseError:
        return []
    title = next((plain(n) for n in root if local(n.tag) == "title"), "")
    if not title or title.lower() in ("preface", "answer key", "references", "appendix"):
        return []
    out = []

    def section(node, path):
        texts = []
        for child in node:
            kind = local(child.tag)
            if kind == "section":
                name = next((plain(n) for n in child if local(n.tag) == "title"), "")
                if child.get("class") in (None, "") or "question" not in child.get("class", ""):
                    section(child, path + [name] if name else path)
            elif kind in ("para", "list"):
                texts.append(plain(child, ASIDE))
        text = collapse(" ".join(t for t in texts if t))
        while len(text) >= LEAST:
            out.append({"title": title, "headings": path, "text": text[:MOST], "project": project})
            text = text[MOST:].partition(". ")[2] if len(text) > MOST else ""

    for node in root.iter():
        if local(node.tag) == "content":
            section(node, [title])
        if local(node.tag) == "definition":
            term = next((plain(n) for n in node if local(n.tag) == "term"), "")
            meaning = next((plain(n) for n in node if local(n.tag) == "meaning"), "")
            if term and len(meaning) > 30:
                out.append({"set": project + "-glossary", "question": term, "answer": meaning[:MOST]})
    return out


# ---- eLife (JATS)

NOT_TEXT = frozenset({"xref", "fig", "fig-group", "table-wrap", "disp-formula", "inline-formula", "object-id", "supplementary-material", "boxed-text", "fn", "label", "title"})


def jats(job):
    name, data = job
    try:
        root = ET.fromstring(data)
    except ET.ParseError:
        return []
    if root.get("article-type") not in ("research-article", "review-article", "preprint"):
        return []
    meta = root.find("./front/article-meta")
    if meta is None:
        return []
    licence = ET.tostring(meta.find("permissions"), encoding="unicode") if meta.find("permissions") is not None else ""
    if "creativecommons.org/licenses/by/" not in licence and "publicdomain/zero" not in licence:
        return []
    node = meta.find("title-group/article-title")
    title = plain(node, frozenset({"xref", "fn"})) if node is not None else ""
    if not title:
        return []
    out, abstract = [], ""
    for node in meta.findall("abstract"):
        kind = node.get("abstract-type")
        text = collapse(" ".join(plain(p, NOT_TEXT) for p in node.iter() if local(p.tag) == "p" and "DOI" not in plain(p)[:6]))
        if kind is None:
            abstract = text[:MOST]
        elif kind in ("executive-summary", "plain-language-summary"):
            while len(text) >= LEAST:
                out.append({"title": title, "headings": [title], "text": text[:MOST], "project": "elife"})
                text = text[MOST:].partition(". ")[2] if len(text) > MOST else ""
    if len(abstract) >= LEAST:
        out.append({"set": "elife-title", "question": title, "answer": abstract})
        statement = next((plain(m.find("meta-value")) for m in meta.iter("custom-meta") if "impact statement" in plain(m.find("meta-name"))), "")
        if 40 < len(statement) < 400:
            out.append({"set": "elife-statement", "question": statement, "answer": abstract})
    found = []
    body = root.find("body")
    for part in body.iter() if body is not None else []:
        if local(part.tag) != "sec":
            continue
        head = part.find("title")
        name = plain(head) if head is not None else ""
        text = collapse(" ".join(plain(p, NOT_TEXT) for p in part if local(p.tag) == "p"))
        if name and len(name) > 20 and len(text) > 300:
            found.append({"title": title, "headings": [title, name], "text": text[:MOST], "project": "elife"})
    random.Random(name).shuffle(found)
    return out + found[:2]


# ---- ACL Anthology

ATTRIBUTION_YEARS = range(2016, 2027)  # earlier papers are share-alike

def anthology(job):
    name, data = job
    year = re.search(r"/(?:(\d{4})\.|[A-Z](\d\d))", name)
    if not year or int(year[1] or "20" + year[2]) not in ATTRIBUTION_YEARS:
        return []
    root, out = ET.fromstring(data), []
    for paper in root.iter("paper"):
        title, abstract = paper.find("title"), paper.find("abstract")
        if title is None or abstract is None:
            continue
        text = plain(abstract)[:MOST]
        if len(text) >= 300 and sum(c < "\x80" for c in text) > 0.97 * len(text):
            out.append({"set": "acl", "question": plain(title), "answer": text})
    return out


# ---- WordNet

def wordnet(folder):
    for part in ("noun", "verb", "adj", "adv"):
        with open(os.path.join(folder, "data." + part), encoding="latin1") as file:
            for line in file:
                if line.startswith("  "):  # the licence
                    continue
                head, _, gloss = line.partition("|")
                cells = head.split()
                lemmas = [cells[4 + 2 * i].split("(")[0].replace("_", " ") for i in range(int(cells[3], 16))]
                if len(gloss.strip()) >= 25:
                    yield {"set": "wordnet", "question": ", ".join(lemmas), "answer": gloss.strip()[:MOST]}


# ---- evaluation texts must not come in

def words(text):
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).split()


SHINGLE = 20


def shingles(text):
    w = words(text)
    return {hash(" ".join(w[i : i + SHINGLE])) for i in range(max(0, len(w) - SHINGLE + 1))} | ({hash(" ".join(w))} if 6 <= len(w) < SHINGLE else set())


def forbidden(folder):
    seen = set()
    for name in sorted(os.listdir(folder)):
        for file in ("corpus.jsonl.gz", "queries.jsonl.gz"):
            path = os.path.join(folder, name, file)
            if os.path.exists(path):
                for line in gzip.open(path, "rt"):
                    record = json.loads(line)
                    seen |= shingles(record["text"])
                    if record.get("title"):
                        seen.add(hash(" ".join(words(record["title"]))))
    return seen


def text_of(record):
    return [record["question"], record["answer"]] if "set" in record else [record["title"], record["text"]]


MOST_PAPERS = 40_000


def newest_articles(folder, commit):
    """The newest version of every article; a preprint only where there is no article yet."""
    newest = {}
    for name in git(folder, "ls-tree", "-r", "--name-only", commit).split("\n"):
        m = re.match(r"(articles|preprints)/elife-(?:preprint-)?(\d+)-v(\d+)\.xml$", name)
        if m:
            newest[m[2]] = max(newest.get(m[2], (False, 0, "")), (m[1] == "articles", int(m[3]), name))
    return {name for _, _, name in newest.values()}


def source(name, folder):
    """The commit to read, its files, and what makes records of one; (None, …) for what is not ours to read."""
    if name.startswith("openstax+"):
        commit = last_attribution_commit(folder)
        project = name.split("osbooks-")[1]
        jobs = ((project, data) for _, data in blobs(folder, commit, lambda n: n.endswith(".cnxml"))) if commit else ()
        return commit, jobs, cnxml
    if name.startswith("elifesciences+"):
        commit = git(folder, "rev-parse", "HEAD").strip()
        return commit, blobs(folder, commit, newest_articles(folder, commit).__contains__), jats
    if name.startswith("acl-org+"):
        commit = git(folder, "rev-parse", "HEAD").strip()
        return commit, blobs(folder, commit, lambda n: n.startswith("data/xml/")), anthology
    return None, (), None


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--mirror", required=True)
    p.add_argument("--eval", required=True, help="evaluation sets, only to leave out whatever shares text with them")
    p.add_argument("--wordnet", required=True, help="folder with WordNet's data.noun, data.verb, data.adj and data.adv")
    p.add_argument("--out", required=True, help="folder for general.jsonl.xz and wordnet.jsonl.xz")
    p.add_argument("--workers", type=int, default=2)
    options = p.parse_args()
    random.seed(1)
    records = []
    with Pool(options.workers) as pool:
        for name in sorted(os.listdir(options.mirror)):
            folder = os.path.join(options.mirror, name, "repo")
            commit, jobs, read = source(name, folder)
            if commit is None:
                continue
            found = [r for rs in pool.imap(read, jobs, chunksize=8) for r in rs]
            if read is anthology:
                random.shuffle(found)
                found = found[:MOST_PAPERS]
            print(name, commit, len(found), flush=True)
            records += found
    bad = forbidden(options.eval)
    seen, kept, dropped = set(), [], 0
    for record in records:
        key = tuple(words(text_of(record)[1])[:40]) + (("q",) + tuple(words(record["question"])) if "set" in record else ())
        if key in seen:
            continue
        seen.add(key)
        if any(shingles(t) & bad for t in text_of(record)):
            dropped += 1
            continue
        kept.append(record)
    print("kept", len(kept), "left out for evaluation text", dropped, flush=True)
    write(os.path.join(options.out, "general.jsonl.xz"), kept)
    write(os.path.join(options.out, "wordnet.jsonl.xz"), wordnet(options.wordnet))


def write(path, records):
    with lzma.open(path, "wt", encoding="utf-8", preset=6) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
