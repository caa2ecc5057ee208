// The tables of an embedded database, as numbered steps. A step is never edited after a release: a change is a new one.
//
// Ids carry their place, so that ranges need no further index (`ids.ts`).

import type { DatabaseSync } from 'node:sqlite';
import { moveWords } from './words/migrate.ts';

const FIRST = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE collections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL,
  model TEXT,
  dimensions INTEGER,
  next_chunk INTEGER NOT NULL DEFAULT 1,
  documents INTEGER NOT NULL DEFAULT 0,
  chunks INTEGER NOT NULL DEFAULT 0,
  vectors INTEGER NOT NULL DEFAULT 0,
  lines INTEGER NOT NULL DEFAULT 0,
  headings INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  -- Rises with every change of the collection's vectors: what a cache in another process compares.
  vector_version INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL REFERENCES collections(id),
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  raw_sha256 TEXT,
  bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  headings INTEGER NOT NULL,
  first_chunk INTEGER NOT NULL,
  chunks INTEGER NOT NULL,
  vectors INTEGER NOT NULL,
  graph INTEGER NOT NULL,
  length INTEGER NOT NULL,
  origin TEXT,
  fetched_at TEXT NOT NULL,
  partial INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  UNIQUE (collection, path)
);

-- The text of a document, once: pieces of about 4 KB with the offset and line they begin at.
CREATE TABLE pieces (id INTEGER PRIMARY KEY, start INTEGER NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL);

CREATE TABLE heading_trees (document INTEGER PRIMARY KEY, tree TEXT NOT NULL);

CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  -- Number of the piece of text that holds the first character.
  piece INTEGER NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  block_start INTEGER NOT NULL,
  block_end INTEGER NOT NULL,
  prefix TEXT,
  heading_path TEXT NOT NULL,
  mentions TEXT
);

CREATE VIRTUAL TABLE words USING fts5(
  title, heading, body, extra,
  content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');

CREATE TABLE codes (chunk INTEGER PRIMARY KEY, document INTEGER NOT NULL, code BLOB NOT NULL);
CREATE TABLE vectors (chunk INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- The mention index: names as tokens, one row per chunk, in the cheapest inverted index there is here.
CREATE VIRTUAL TABLE mention_index USING fts5(
  keys, content='', contentless_delete=1, detail=none, tokenize='ascii'
);

CREATE TABLE entities (
  id INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  description TEXT NOT NULL,
  mentions INTEGER NOT NULL,
  tally TEXT NOT NULL,
  UNIQUE (key, collection)
);
CREATE INDEX entities_by_mentions ON entities (collection, mentions DESC, name);
CREATE TABLE entity_names (
  folded TEXT NOT NULL, name TEXT NOT NULL, entity INTEGER NOT NULL, PRIMARY KEY (folded, entity, name)
) WITHOUT ROWID;
CREATE TABLE entity_mentions (
  id INTEGER PRIMARY KEY,
  entity INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  said TEXT NOT NULL
);
CREATE INDEX entity_mentions_by_entity ON entity_mentions (entity, chunk, start_line, end_line);
CREATE INDEX entity_mentions_by_chunk ON entity_mentions (chunk);

CREATE TABLE relations (
  id INTEGER PRIMARY KEY,
  collection INTEGER NOT NULL,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  type TEXT NOT NULL,
  description TEXT NOT NULL,
  mentions INTEGER NOT NULL,
  tally TEXT NOT NULL
);
-- Both hold everything that orders relations, so that walking the graph reads nothing else.
CREATE INDEX relations_out ON relations (source, target, type, collection, mentions);
CREATE INDEX relations_in ON relations (target, source, type, collection, mentions);
CREATE INDEX relations_of_collection ON relations (collection);
CREATE TABLE relation_mentions (
  id INTEGER PRIMARY KEY,
  relation INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  said TEXT NOT NULL
);
CREATE INDEX relation_mentions_by_relation ON relation_mentions (relation, chunk, start_line, end_line);
CREATE INDEX relation_mentions_by_chunk ON relation_mentions (chunk);
CREATE VIRTUAL TABLE relation_words USING fts5(
  said, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);

CREATE TABLE archive (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  fetched_at TEXT NOT NULL,
  archived_at TEXT NOT NULL,
  lines INTEGER NOT NULL,
  headings INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  text BLOB NOT NULL
);
CREATE INDEX archive_by_path ON archive (collection, path);

CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL, event TEXT NOT NULL);
CREATE INDEX history_by_collection ON history (collection, id);

-- A transaction of a bulk load stays in memory until it ends: one segment each instead of one per megabyte.
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
INSERT INTO mention_index (mention_index, rank) VALUES ('hashsize', 16777216);
-- Such a load ends in one merge of everything: merging in between would write the same postings twice.
INSERT INTO words (words, rank) VALUES ('automerge', 16);
INSERT INTO mention_index (mention_index, rank) VALUES ('automerge', 16);

CREATE TABLE cache (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  value BLOB NOT NULL,
  UNIQUE (namespace, key)
);

CREATE TABLE locks (
  name TEXT PRIMARY KEY, owner TEXT NOT NULL, info TEXT NOT NULL, since TEXT NOT NULL, expires INTEGER NOT NULL
) WITHOUT ROWID;
`;

/** Names are looked for when relations are asked for: they leave the rows that every search reads. */
const NAMES_APART = `
CREATE TABLE chunk_names (chunk INTEGER PRIMARY KEY, names TEXT NOT NULL);
INSERT INTO chunk_names SELECT id, mentions FROM chunks WHERE mentions IS NOT NULL ORDER BY id;
ALTER TABLE chunks DROP COLUMN mentions;

-- How many chunks at the end of the document are still to be looked at.
ALTER TABLE documents ADD COLUMN unnamed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX documents_unnamed ON documents (collection) WHERE unnamed > 0;
`;

/** What a document was indexed with, and the page a chunk begins on. */
const INDEXED_WITH = `
ALTER TABLE documents ADD COLUMN indexed_with TEXT;
ALTER TABLE chunks ADD COLUMN page INTEGER;
`;

/** Pages are found by name. Documents written before have none until they are written again. */
const PAGE_NAMES = `
CREATE TABLE page_names (name TEXT NOT NULL, chunk INTEGER NOT NULL, PRIMARY KEY (name, chunk)) WITHOUT ROWID;
CREATE INDEX page_names_by_chunk ON page_names (chunk);
`;

/** How sure each relation is, in what orders them; relations stored before are as sure as most. */
const CONFIDENCE = `
ALTER TABLE relations ADD COLUMN confidence REAL NOT NULL DEFAULT 0.8;
DROP INDEX relations_out;
DROP INDEX relations_in;
CREATE INDEX relations_out ON relations (source, target, type, collection, mentions, confidence);
CREATE INDEX relations_in ON relations (target, source, type, collection, mentions, confidence);
`;

/**
 * A word index of our own (`words/`), with the statistics of each collection by itself. What the full-text table holds
 * is moved, term by term.
 */
const WORDS_APART = `
ALTER TABLE collections ADD COLUMN words INTEGER NOT NULL DEFAULT 0;
CREATE TABLE word_segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  chunks INTEGER NOT NULL,
  dead INTEGER NOT NULL
);
CREATE INDEX word_segments_of_collection ON word_segments (collection, first);
CREATE TABLE word_pages (
  segment INTEGER NOT NULL, first TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (segment, first)
) WITHOUT ROWID;
CREATE TABLE word_lists (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE word_lengths (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
`;

/** Names that a chunk of source code defines. */
const DEFINES = `
ALTER TABLE chunks ADD COLUMN defines TEXT;
`;

/** The codes of chunks that follow each other in a document become one row, under the first of them. */
const CODES_TOGETHER = `
ALTER TABLE codes RENAME TO single_codes;
CREATE TABLE codes (chunk INTEGER PRIMARY KEY, document INTEGER NOT NULL, code BLOB NOT NULL);
INSERT INTO codes
  SELECT min(chunk), document, CAST(group_concat(code, '' ORDER BY chunk) AS BLOB)
  FROM (SELECT chunk, document, code, chunk - row_number() OVER (ORDER BY chunk) AS run FROM single_codes)
  GROUP BY document, run ORDER BY 1;
DROP TABLE single_codes;
`;

type Step = (raw: DatabaseSync) => void;

const run =
  (statements: string): Step =>
  (raw) =>
    raw.exec(statements);

/** Step n brings a database from version n to n + 1. */
export const MIGRATIONS: readonly Step[] = [
  run(FIRST),
  run(NAMES_APART),
  run(INDEXED_WITH),
  run(PAGE_NAMES),
  run(CONFIDENCE),
  (raw) => {
    raw.exec(WORDS_APART);
    moveWords(raw);
    raw.exec('DROP TABLE vocabulary; DROP TABLE words');
  },
  run(DEFINES),
  run(CODES_TOGETHER),
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export function versionOf(raw: DatabaseSync): number {
  return (raw.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}
