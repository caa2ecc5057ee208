// Makes a database from a copy that `backup` wrote. The copy is checked first and put in place in one step.

import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { VaiError } from '../../domain/errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { SCHEMA_VERSION, versionOf } from './schema.ts';

/** A database, its journal and the index of its journal. */
const FILES = ['', '-wal', '-shm'];

export function restoreFile(file: string, target: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new VaiError('FILE_UNREADABLE', `There is no file ${basename(file)}.`, { hint: 'Check its name.' });
  // A journal that was left behind would be played into the restored file.
  if (FILES.some((ending) => existsSync(target + ending)))
    throw new VaiError('SOURCE_EXISTS', 'There is already a database of that name.', {
      hint: 'Restore into another one with --db, or move the old file away first, with its -wal and -shm.',
    });
  makeFolder(dirname(target), 0o700);
  const copy = `${target}.restoring`;
  try {
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
    checkCopy(copy);
    renameSync(copy, target);
  } finally {
    for (const ending of FILES) rmSync(copy + ending, { force: true });
  }
}

function checkCopy(file: string): void {
  let version: number;
  try {
    const copy = new DatabaseSync(file, { readOnly: true });
    try {
      const [check] = copy.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
      if (check?.quick_check !== 'ok') throw new Error('damaged');
      copy.prepare('SELECT count(*) FROM collections').get();
      version = versionOf(copy);
    } finally {
      copy.close();
    }
  } catch (cause) {
    throw new VaiError('UNSUPPORTED_FORMAT', 'The file is not a whole backup of an embedded database.', {
      hint: '`vai backup` writes one; a file that was cut short cannot be restored.',
      cause,
    });
  }
  if (version > SCHEMA_VERSION)
    throw new VaiError('STORE_TOO_NEW', 'The backup was written by a newer vai.', {
      hint: 'Update vai and restore again.',
    });
}
