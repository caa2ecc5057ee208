// The floor: bare FTS5, heading blocks straight into one table, queried without any engine around it.

import { DatabaseSync } from 'node:sqlite';

export interface Floor {
  or(query: string): number;
  close(): void;
}

const words = (query: string): string[] => query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export function buildFloor(file: string, texts: readonly { path: string; text: string }[]): void {
  const db = new DatabaseSync(file);
  db.exec(`pragma journal_mode=wal; pragma synchronous=normal;
    create table blocks(id integer primary key, path text, heading text, body text);
    create virtual table words using fts5(heading, body, content='blocks', content_rowid='id', tokenize='porter unicode61');`);
  const block = db.prepare('insert into blocks(path, heading, body) values(?, ?, ?)');
  const word = db.prepare('insert into words(rowid, heading, body) values(?, ?, ?)');
  db.exec('begin');
  for (const { path, text } of texts) {
    for (const part of text.split(/^(?=#{1,6} )/m)) {
      const line = part.indexOf('\n');
      const heading = part.startsWith('#') ? part.slice(0, line === -1 ? part.length : line) : '';
      const body = part.slice(heading.length);
      const { lastInsertRowid } = block.run(path, heading, body);
      word.run(lastInsertRowid, heading, body);
    }
  }
  db.exec('commit');
  db.exec("insert into words(words) values('optimize')");
  db.close();
}

export function openFloor(file: string): Floor {
  const db = new DatabaseSync(file, { readOnly: true });
  const search =
    db.prepare(`select b.path, b.heading, b.body, bm25(words) as score from words join blocks b on b.id = words.rowid
    where words match ? order by rank limit 10`);
  return {
    or(query) {
      const terms = words(query).map((term) => `"${term}"`);
      return terms.length === 0 ? 0 : search.all(terms.join(' OR ')).length;
    },
    close: () => db.close(),
  };
}
