import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { VaiError, type ErrorCode } from '../../../src/domain/errors.ts';
import { createFiles } from '../../../src/sources/files/files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const disk = createFiles();
const base = tempFolder('scan');
const root = path.join(base, 'docs');

const failsWith = (code: ErrorCode) => (error: unknown) => {
  assert.ok(error instanceof VaiError, String(error));
  assert.equal(error.code, code);
  assert.ok(!error.message.includes(base), 'no path of the machine');
  return true;
};

async function put(file: string, content = 'text\n'): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), content);
}

before(async () => {
  await put('b.md');
  await put('a/two.md');
  await put('a/one.md');
  await put('a/skip.log');
  await put('a/keep.log');
  await put('a/.gitignore', '*.log\n!keep.log\n');
  await put('build/out.md');
  await put('.gitignore', '/build/\n*.tmp\n');
  await put('x.tmp');
  await put('.hidden/x.md');
  await put('node_modules/p/readme.md');
  await put('image.png');
  await put('logo.svg', '<svg><path d="M3,0l16.56"/></svg>\n');
  await put('large.txt', 'x'.repeat(5000));
  await put('../outside.md', 'secret\n');
  await symlink(path.join(base, 'outside.md'), path.join(root, 'leaves.md'));
  await symlink(path.join(root, 'b.md'), path.join(root, 'within.md'));
  await symlink(root, path.join(root, 'loop'));
  await symlink(path.join(root, 'nowhere'), path.join(root, 'broken.md'));
  execFileSync('mkfifo', [path.join(root, 'pipe.md')]);
});

describe('scan', () => {
  it('finds files in a fixed order and counts what it passed over, by reason', async () => {
    for (const name of ['package-lock.json', 'Cargo.lock', 'go.sum']) await put(`locks/${name}`);
    const { files, skipped } = await disk.scan(root, { maxBytes: 4000 });
    assert.deepEqual(
      files.map((file) => file.path),
      ['b.md', 'within.md', 'a/keep.log', 'a/one.md', 'a/two.md'],
    );
    assert.ok(files.every(({ bytes, modifiedMs }) => bytes === 5 && modifiedMs > 0));
    const counts = Object.fromEntries(skipped.map(({ reason, count }) => [reason, count]));
    assert.deepEqual(counts, {
      'broken link': 1,
      hidden: 3,
      'ignored by .gitignore': 3,
      'link leaves the folder': 1,
      'link to a folder': 1,
      'lock file': 3,
      node_modules: 1,
      'not a regular file': 1,
      'not a text format': 2,
      'too large': 1,
    });
    assert.deepEqual(skipped.find(({ reason }) => reason === 'too large')?.examples, ['large.txt']);
  });

  it('passes over what tools made, and reads it where it is named', async () => {
    const made = 'jquery.min.js site.min.css lib.MIN.mjs app.bundle.js app.js.map'.split(' ');
    const written = 'admin.js min.js bundle.js map.md sitemap.xml x.minor.js'.split(' ');
    for (const name of [...made, ...written]) await put(`../made/${name}`);
    const { files, skipped } = await disk.scan(path.join(base, 'made'));
    assert.deepEqual(
      files.map((file) => file.path),
      written.toSorted(),
    );
    const examples = made.toSorted().slice(0, 3);
    assert.deepEqual(skipped, [{ reason: 'minified or generated', count: made.length, examples }]);
    assert.equal(Buffer.from(await disk.bytes(path.join(base, 'made/jquery.min.js'))).toString(), 'text\n');
  });

  it('takes patterns for names and for paths', async () => {
    const names = async (options: object) => (await disk.scan(root, options)).files.map((file) => file.path);
    assert.deepEqual(await names({ include: ['*.md'] }), ['b.md', 'within.md', 'a/one.md', 'a/two.md']);
    assert.deepEqual(await names({ include: ['a/**'], exclude: ['two.*'] }), ['a/keep.log', 'a/one.md']);
    assert.deepEqual(await names({ include: ['*.md'], exclude: ['a/'] }), ['b.md', 'within.md']);
    assert.deepEqual(await names({ include: ['**/o*.{md,txt}'] }), ['a/one.md']);
  });

  it('stops when the caller has gone', async () => {
    await assert.rejects(disk.scan(root, { signal: AbortSignal.abort() }), failsWith('CANCELLED'));
  });

  it('says what is wrong with the folder', async () => {
    await assert.rejects(disk.scan(path.join(root, 'nope')), failsWith('FILE_UNREADABLE'));
    await assert.rejects(disk.scan(path.join(root, 'b.md')), failsWith('FILE_UNREADABLE'));
  });
});

describe('bytes', () => {
  const bytes = (file: string, options?: { root?: string; maxBytes?: number }) =>
    disk.bytes(path.join(root, file), options);

  it('gives what the file holds', async () => {
    assert.equal(Buffer.from(await bytes('b.md')).toString(), 'text\n');
    assert.equal(Buffer.from(await bytes('within.md', { root })).toString(), 'text\n');
    await put('big.bin', 'y'.repeat(600_000));
    assert.equal((await bytes('big.bin')).length, 600_000);
    assert.equal((await bytes('big.bin', { maxBytes: 600_000 })).length, 600_000);
  });

  it('refuses links that leave the folder, pipes, folders and what is too large', async () => {
    await assert.rejects(bytes('leaves.md', { root }), failsWith('FILE_UNREADABLE'));
    await assert.rejects(bytes('../outside.md', { root }), failsWith('FILE_UNREADABLE'));
    await assert.rejects(bytes('pipe.md', { root }), failsWith('FILE_UNREADABLE'));
    await assert.rejects(bytes('a'), failsWith('FILE_UNREADABLE'));
    await assert.rejects(bytes('nope.md'), failsWith('FILE_UNREADABLE'));
    await assert.rejects(bytes('large.txt', { maxBytes: 100 }), failsWith('TOO_LARGE'));
    await assert.rejects(disk.bytes('/dev/zero'), failsWith('FILE_UNREADABLE'));
  });

  it('reads a file that claims to be empty, within the limit', async (context) => {
    if (process.platform !== 'linux') return context.skip('needs /proc');
    assert.ok((await disk.bytes('/proc/self/status')).length > 100);
    await assert.rejects(disk.bytes('/proc/self/status', { maxBytes: 10 }), failsWith('TOO_LARGE'));
  });
});
