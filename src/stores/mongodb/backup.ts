// A whole database in one file, and a database out of one: every document as gzipped BSON, one after the other, each in an
// envelope that names its collection. Read in one snapshot. Atlas makes better backups itself; this is the one that needs
// no Atlas, and that any server can be filled from.

import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BSON, type Document } from 'mongodb';
import { VaiError } from '../../domain/errors.ts';
import { readVector } from './chunks.ts';
import { isGone } from '../owner.ts';
import type { Database } from './database.ts';
import { NAMES, type CollectionDocument } from './layout.ts';
import { ensureChunks, ensureLayout } from './prepare.ts';
import type { SearchIndexes } from './search/indexes.ts';
import { readOnlyServer } from './server.ts';
import { insertAll } from './staging.ts';

/** What is of the moment and of no use elsewhere. */
const MOMENTARY: readonly string[] = [NAMES.locks];
const MAX_DOCUMENT = 17 * 1024 * 1024;
const BATCH = 500;
/** Present while a restore is running, so that an interrupted one can be told from a complete database. */
const RESTORING = 'restoring';

export async function backup(database: Database, file: string): Promise<void> {
  try {
    await pipeline(
      Readable.from(everything(database)),
      createGzip(),
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    );
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'EEXIST') {
      throw new VaiError('INVALID_INPUT', 'There is already a file with that name.', {
        hint: 'Choose another name for the backup.',
      });
    }
    await rm(file, { force: true });
    throw thrown;
  }
}

async function* everything(database: Database): AsyncGenerator<Uint8Array> {
  const session = database.connection.session({ snapshot: true });
  try {
    const listed = await database.db().listCollections({}, { nameOnly: true }).toArray();
    const names = listed.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
    // The records of collections first: a restore makes each with its indexes before anything is in it.
    names.sort((a, b) => Number(b === NAMES.collections) - Number(a === NAMES.collections));
    for (const name of names) {
      if (MOMENTARY.includes(name)) continue;
      for await (const doc of database.collection<Document>(name).find({}, { session }))
        yield BSON.serialize({ collection: name, doc });
    }
  } finally {
    await session.endSession();
  }
}

/** Fills an empty database. What the file's server did otherwise than this one is done as this one needs it. */
export async function restore(
  database: Database,
  indexes: SearchIndexes,
  { file, owner }: { file: string; owner: string },
): Promise<void> {
  if (!(await database.server()).transactions) throw readOnlyServer();
  await requireEmpty(database, owner);
  const meta = database.own('meta');
  try {
    await meta.insertOne({ _id: RESTORING, value: owner });
    await ensureLayout(database);
    await fill(database, file);
    await complete(database, indexes);
    await meta.deleteOne({ _id: RESTORING });
  } catch (thrown) {
    // It was empty, so all that is in it came from here.
    await database.db().dropDatabase();
    database.prepared.clear();
    throw thrown;
  }
}

/**
 * Empty, or partly filled by an interrupted restore: an earlier attempt of this one, or of a process that has ended.
 */
async function requireEmpty(database: Database, owner: string): Promise<void> {
  const listed = await database.db().listCollections({}, { nameOnly: true }).toArray();
  if (listed.length === 0) return;
  const left = await database.own('meta').findOne({ _id: RESTORING });
  if (!left || (left.value !== owner && !isGone(left.value)))
    throw new VaiError('SOURCE_EXISTS', `The database \`${database.name}\` is not empty.`, {
      hint: 'Restore into another one with --db.',
    });
  await database.db().dropDatabase();
}

/** Whether a restore is running or was interrupted. */
export async function isPartial(database: Database): Promise<boolean> {
  return (await database.own('meta').findOne({ _id: RESTORING })) !== null;
}

async function fill(database: Database, file: string): Promise<void> {
  const lists = (await database.server()).search === 'cosmos';
  const { field } = database;
  let name = '';
  let batch: Document[] = [];
  const flush = async (): Promise<void> => {
    if (name === NAMES.collections)
      for (const { _id, dimensions } of batch as CollectionDocument[])
        await ensureChunks(database, _id, dimensions);
    await insertAll(database.collection<Document & { _id: string }>(name), batch as { _id: string }[]);
    batch = [];
  };
  for await (const { collection, doc } of documentsIn(file)) {
    if (collection === NAMES.meta && doc._id === 'layout') continue;
    if (collection !== name || batch.length >= BATCH) await flush();
    name = collection;
    const vector = lists ? readVector(doc[field]) : undefined;
    batch.push(vector ? { ...doc, [field]: [...vector] } : doc);
  }
  await flush();
}

/** Envelopes of the file, checked: it may be anything. */
async function* documentsIn(file: string): AsyncGenerator<{ collection: string; doc: Document }> {
  const unzipped = createGunzip();
  createReadStream(file)
    .on('error', (error) => unzipped.destroy(error))
    .pipe(unzipped);
  let bytes: Buffer = Buffer.alloc(0);
  let any = false;
  try {
    for await (const part of unzipped) {
      bytes = bytes.length === 0 ? (part as Buffer) : Buffer.concat([bytes, part as Buffer]);
      for (let size = sizeOf(bytes); size !== undefined && bytes.length >= size; size = sizeOf(bytes)) {
        const { collection, doc } = BSON.deserialize(bytes.subarray(0, size), { promoteBuffers: false });
        if (typeof collection !== 'string' || typeof doc !== 'object' || doc === null) throw notABackup();
        any = true;
        yield { collection, doc: doc as Document };
        bytes = bytes.subarray(size);
      }
    }
  } catch (thrown) {
    throw thrown instanceof Error && isFault(thrown) ? notABackup(thrown) : thrown;
  }
  if (bytes.length > 0 || !any) throw notABackup();
}

/** Bytes of the document at the beginning; undefined where they are not all there to tell. */
function sizeOf(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined;
  const size = bytes.readInt32LE(0);
  if (size < 5 || size > MAX_DOCUMENT) throw notABackup();
  return size;
}

/** Of gzip, of BSON, or of the file itself. */
function isFault(thrown: Error): boolean {
  return (
    thrown.name.startsWith('BSON') ||
    /^(?:Z_|ENOENT|EISDIR|EACCES)/.test((thrown as { code?: string }).code ?? '')
  );
}

function notABackup(cause?: Error): VaiError {
  const missing = (cause as { code?: string } | undefined)?.code?.startsWith('E') === true;
  return missing
    ? new VaiError('FILE_UNREADABLE', 'The backup cannot be read.', {
        hint: 'Check its name and rights.',
        cause,
      })
    : new VaiError('UNSUPPORTED_FORMAT', 'The file is not a whole backup of a MongoDB database.', {
        hint: '`vai backup` writes one; a file that was cut short cannot be restored.',
        cause,
      });
}

/** Search indexes are not in a backup, and one of another server has no postings, or has them for nothing. */
async function complete(database: Database, indexes: SearchIndexes): Promise<void> {
  const records = await database.own('collections').find().toArray();
  for (const { _id, dimensions } of records) await indexes.ensure(_id, dimensions);
  if ((await database.server()).search === 'atlas') {
    await database.own('postings').deleteMany({});
    await database.own('documents').updateMany({ words: { $exists: true } }, { $unset: { words: '' } });
  } else for (const { _id } of records) await indexes.create(_id, 'text', {});
}
