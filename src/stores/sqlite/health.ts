// Whether a database is sound: the file, the full-text indexes, and every count against the rows.

import { hash } from 'node:crypto';
import type { StoreHealth } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { PIECE_SPAN } from './ids.ts';
import { readText } from './text.ts';
import { checkWords } from './words/check.ts';

const MAX_PROBLEMS = 20;

/** Pairs of a claim and the statement that counts what breaks it. */
const CLAIMS: readonly (readonly [string, string])[] = [
  [
    'documents whose chunks are not complete',
    `SELECT count(*) AS n FROM documents d WHERE d.chunks <>
       (SELECT count(*) FROM chunks WHERE id BETWEEN d.first_chunk AND d.first_chunk + d.chunks - 1 AND document = d.id)`,
  ],
  [
    'chunks without a document',
    'SELECT count(*) AS n FROM chunks WHERE document NOT IN (SELECT id FROM documents)',
  ],
  [
    'pieces of text without a document',
    `SELECT count(*) AS n FROM pieces WHERE id / ${PIECE_SPAN} NOT IN (SELECT id FROM documents)`,
  ],
  ['vectors without a chunk', 'SELECT count(*) AS n FROM vectors WHERE chunk NOT IN (SELECT id FROM chunks)'],
  [
    'documents whose vectors are not complete',
    `SELECT count(*) AS n FROM documents d WHERE d.vectors <>
       (SELECT count(*) FROM vectors WHERE chunk BETWEEN d.first_chunk AND d.first_chunk + d.chunks - 1)`,
  ],
  [
    'documents whose codes are not complete',
    `SELECT count(*) AS n FROM documents d JOIN collections c ON c.id = d.collection
     WHERE d.vectors * (4 + (c.dimensions + 127) / 128 * 16) <> (SELECT coalesce(sum(length(code)), 0) FROM codes
       WHERE chunk BETWEEN d.first_chunk AND d.first_chunk + d.chunks - 1 AND document = d.id)`,
  ],
  [
    'codes without a document',
    'SELECT count(*) AS n FROM codes WHERE document NOT IN (SELECT id FROM documents)',
  ],
  [
    'names without a chunk',
    'SELECT count(*) AS n FROM chunk_names WHERE chunk NOT IN (SELECT id FROM chunks)',
  ],
  [
    'page names without a chunk',
    'SELECT count(*) AS n FROM page_names WHERE chunk NOT IN (SELECT id FROM chunks)',
  ],
  [
    'names missing in the mention index',
    'SELECT count(*) AS n FROM chunk_names WHERE chunk NOT IN (SELECT id FROM mention_index_docsize)',
  ],
  [
    'entries of the mention index without names',
    'SELECT count(*) AS n FROM mention_index_docsize WHERE id NOT IN (SELECT chunk FROM chunk_names)',
  ],
  [
    'documents with names of chunks that were not looked at',
    `SELECT count(*) AS n FROM documents d WHERE unnamed > chunks OR unnamed > 0 AND EXISTS
       (SELECT 1 FROM chunk_names WHERE chunk BETWEEN d.first_chunk + d.chunks - d.unnamed AND d.first_chunk + d.chunks - 1)`,
  ],
  [
    'mentions of entities without a chunk',
    'SELECT count(*) AS n FROM entity_mentions WHERE chunk NOT IN (SELECT id FROM chunks)',
  ],
  [
    'entities whose mentions do not add up',
    'SELECT count(*) AS n FROM entities e WHERE mentions <> (SELECT count(*) FROM entity_mentions WHERE entity = e.id)',
  ],
  [
    'relations whose mentions do not add up',
    'SELECT count(*) AS n FROM relations r WHERE mentions <> (SELECT count(*) FROM relation_mentions WHERE relation = r.id)',
  ],
  [
    'collections whose counts do not add up',
    `SELECT count(*) AS n FROM collections c WHERE
       c.documents <> (SELECT count(*) FROM documents WHERE collection = c.id)
       OR c.chunks <> (SELECT coalesce(sum(chunks), 0) FROM documents WHERE collection = c.id)
       OR c.vectors <> (SELECT coalesce(sum(vectors), 0) FROM documents WHERE collection = c.id)
       OR c.bytes <> (SELECT coalesce(sum(bytes), 0) FROM documents WHERE collection = c.id)`,
  ],
];

export function checkHealth(connection: Connection): StoreHealth {
  const problems: string[] = [];
  // A damaged file may fail at preparing already.
  const rows = connection.read(() =>
    connection.sql<{ integrity_check: string }>('PRAGMA integrity_check(20)').all(),
  );
  for (const { integrity_check: found } of rows)
    if (found !== 'ok') problems.push(`The file is damaged: ${found}`);
  if (problems.length === 0) {
    for (const [claim, statement] of CLAIMS) {
      const { n } = connection.read(() => connection.sql<{ n: number }>(statement).get()!);
      if (n > 0) problems.push(`${n} ${claim}`);
    }
    for (const { n, claim } of connection.read(() => checkWords(connection)))
      if (n > 0) problems.push(`${n} ${claim}`);
    const damaged = connection.read(() => damagedTexts(connection));
    if (damaged > 0) problems.push(`${damaged} documents whose text is not what was stored`);
  }
  return { ok: problems.length === 0, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** Every text is read and compared with its length and, where it is one, its hash. */
function damagedTexts(connection: Connection): number {
  const documents = connection.sql<{ id: number; length: number; sha256: string }>(
    'SELECT id, length, sha256 FROM documents',
  );
  let damaged = 0;
  for (const { id, length, sha256 } of documents.iterate()) {
    const text = readText(connection, id);
    const hashed = /^[0-9a-f]{64}$/.test(sha256);
    const same = !hashed || hash('sha256', text, 'hex') === sha256;
    if (text.length !== length || !same) damaged += 1;
  }
  return damaged;
}
