// The postings of a document as they are written, with the document or after it.

import type { ClientSession } from 'mongodb';
import type { Database } from '../../database.ts';
import { type DocumentDocument, type WordsDocument } from '../../layout.ts';
import { toPostings, type WordsOfChunk } from './postings.ts';

export function wordsOfChunk({ chunk, title, heading, text, extra }: WordsDocument): WordsOfChunk {
  return { id: chunk, fields: [title, heading, text, extra] };
}

/** Gives a document that has none its postings. */
export async function writePostings(
  database: Database,
  {
    owner,
    words,
    session,
  }: { owner: DocumentDocument; words: readonly WordsDocument[]; session: ClientSession },
): Promise<void> {
  const documents = database.own('documents');
  const postings = database.own('postings');
  // Replaced meanwhile, and then with postings of its own.
  if (!(await documents.findOne({ _id: owner._id }, { session, projection: { _id: 1 } }))) return;
  const made = toPostings(
    { collection: owner.collection, doc: owner._id, source: owner.path, staged: false },
    words.map(wordsOfChunk),
  );
  await postings.deleteMany({ doc: owner._id }, { session });
  if (made.rows.length > 0) await postings.insertMany(made.rows, { session });
  await documents.updateOne({ _id: owner._id }, { $set: { words: made.words } }, { session });
}
