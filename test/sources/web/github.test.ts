import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { VaiError } from '../../../src/domain/errors.ts';
import { parseRepository, versionOfRef } from '../../../src/domain/source-address.ts';
import type { FetchFolderOptions } from '../../../src/ports/source.ts';
import { createFetcher } from '../../../src/sources/web/fetcher.ts';
import type { WebOptions } from '../../../src/sources/web/options.ts';
import * as play from '../../support/docs-server.ts';
import { fails } from '../../support/failure.ts';
import { archive, tar, type TarItem } from '../../support/tar.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let server: play.DocsServer;
const scratch = tempFolder('github');
const { TMPDIR } = process.env;
before(async () => {
  server = await play.startDocsServer();
  // A folder of this file's own, so that what is left behind can be counted.
  process.env.TMPDIR = scratch;
});
after(async () => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await server.close();
});

const GZIP = { type: 'application/x-gzip' };
const serve = (name: string, bytes: Buffer, ref = 'HEAD'): void =>
  server.set(`/acme/${name}/archive/${ref}.tar.gz`, play.file(bytes, GZIP));

const fetchFolder = (address: string, options: FetchFolderOptions = {}, web: Partial<WebOptions> = {}) =>
  createFetcher({
    userAgent: 'vai-test',
    allowPrivate: [server.host],
    github: server.origin,
    sleep: async () => undefined,
    ...web,
  }).fetchFolder(address, options);

/** Every file that was unpacked; the folder is gone afterwards. */
async function unpacked(address: string, web: Partial<WebOptions> = {}) {
  const fetched = await fetchFolder(address, {}, web);
  assert.ok(fetched.changed);
  const names = (await readdir(fetched.folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(fetched.folder.length + 1));
  await fetched.remove();
  assert.equal(existsSync(fetched.folder), false);
  return { ...fetched, files: names.sort() };
}

const scratchFolders = async () => (await readdir(scratch)).length;

describe('the address', () => {
  test('owner, name, ref and path', () => {
    assert.deepEqual(parseRepository('github:acme/lib'), { owner: 'acme', name: 'lib' });
    assert.deepEqual(parseRepository('github:acme/lib.js@v1.2.0/docs/guide/'), {
      owner: 'acme',
      name: 'lib.js',
      ref: 'v1.2.0',
      path: 'docs/guide',
    });
    assert.deepEqual(parseRepository('GitHub:acme/lib.git@feature%2Fx'), {
      owner: 'acme',
      name: 'lib',
      ref: 'feature/x',
    });
  });

  test('anything else is refused', () => {
    for (const bad of [
      'github:acme',
      'github:acme/..',
      'github:../lib',
      'github:acme/lib@../../x',
      'github:acme/lib@a%2F..%2Fb',
      'github:acme/lib/../../etc',
      'github:acme/lib/docs/%2e%2e/x',
      'github:acme/lib@v1?token=x',
      'github:ac me/lib',
      'github:acme/lib@%zz',
      `github:acme/${'x'.repeat(200)}`,
    ])
      assert.throws(() => parseRepository(bad), fails('INVALID_INPUT'), bad);
  });

  test('a tag says which version it is of; a branch and a commit do not', () => {
    const versions = [
      'v5.1.0',
      '4.0.0-beta.2',
      'zod@3.25.1',
      'release-2.0',
      'v9',
      'main',
      'a1b2c3d4',
      '18-stable',
    ];
    assert.deepEqual(
      versions.map((ref) => versionOfRef(ref)),
      ['5.1.0', '4.0.0-beta.2', '3.25.1', '2.0', '9', undefined, undefined, undefined],
    );
  });
});

describe('a repository', () => {
  test('text files of its archive, with the commit and where each file is shown', async () => {
    serve(
      'plain',
      archive(
        {
          'README.md': '# Lib\n',
          'docs/guide.md': '# Guide\n',
          'src/index.ts': 'export const one = 1;\n',
          'logo.png': 'not text',
          '.github/workflows/ci.yml': 'on: push\n',
          'node_modules/x/index.js': 'x\n',
          '.gitignore': 'dist\n',
        },
        { commit: 'c0ffee'.padEnd(40, '0') },
      ),
    );
    const fetched = await unpacked('github:acme/plain');
    assert.deepEqual(fetched.files, ['.gitignore', 'README.md', 'docs/guide.md', 'src/index.ts']);
    assert.equal(fetched.revision, 'c0ffee'.padEnd(40, '0'));
    assert.equal(fetched.url, `${server.origin}/acme/plain`);
    assert.equal(fetched.pageBase, `${server.origin}/acme/plain/blob/${fetched.revision}/`);
    assert.equal(fetched.title, 'acme/plain');
    assert.deepEqual(fetched.notices, []);
  });

  test('only what is beneath the path, at the ref, with the ignore rules from above', async () => {
    const bytes = archive({
      '.gitignore': 'draft.md\n',
      'README.md': '# Lib\n',
      'docs/a.md': '# A\n',
      'docs2/b.md': '# B\n',
    });
    serve('part', bytes, 'v2.0.1');
    const fetched = await unpacked('github:acme/part@v2.0.1/docs');
    assert.deepEqual(fetched.files, ['.gitignore', 'docs/a.md']);
    assert.equal(fetched.version, '2.0.1');
    assert.equal(fetched.title, 'acme/part/docs v2.0.1');
    serve('part', bytes, 'feature/x');
    assert.deepEqual((await unpacked('github:acme/part@feature%2Fx/README.md')).files, [
      '.gitignore',
      'README.md',
    ]);
  });

  test('a missing path or repository is reported', async () => {
    serve('some', archive({ 'README.md': '# Lib\n' }));
    await assert.rejects(fetchFolder('github:acme/some/docs'), fails('SOURCE_NOT_FOUND', /contains no text/));
    await assert.rejects(
      fetchFolder('github:acme/none'),
      fails('SOURCE_NOT_FOUND', /github:acme\/none was not found/),
    );
  });

  test('names of more than 100 bytes', async () => {
    const name = `docs/${'deep/'.repeat(20)}${'n'.repeat(60)}.md`;
    serve('long', archive({ [name]: '# Deep\n' }));
    assert.deepEqual((await unpacked('github:acme/long')).files, [name]);
  });
});

describe('asking again', () => {
  test('one conditional request when nothing changed', async () => {
    serve('again', archive({ 'a.md': '# A\n' }));
    const first = await unpacked('github:acme/again');
    assert.ok(first.etag);
    const second = await fetchFolder('github:acme/again', { previous: { etag: first.etag } });
    assert.equal(second.changed, false);
    assert.equal(server.requests.at(-1)?.headers['if-none-match'], first.etag);
  });

  test('the same commit is the same text where a server sends no validators', async () => {
    const bytes = archive({ 'a.md': '# A\n' });
    server.set('/acme/bare/archive/HEAD.tar.gz', play.file(bytes, { ...GZIP, validators: 'none' }));
    const first = await unpacked('github:acme/bare');
    const again = await fetchFolder('github:acme/bare', { previous: { revision: first.revision! } });
    assert.equal(again.changed, false);
    const other = archive({ 'a.md': '# B\n' }, { commit: 'b'.repeat(40) });
    server.set('/acme/bare/archive/HEAD.tar.gz', play.file(other, { ...GZIP, validators: 'none' }));
    const changed = await fetchFolder('github:acme/bare', { previous: { revision: first.revision! } });
    assert.ok(changed.changed);
    assert.equal(changed.revision, 'b'.repeat(40));
    await changed.remove();
  });
});

describe('a hostile or broken server', () => {
  test('redirects are followed and each is judged; a loop ends', async () => {
    serve('there', archive({ 'a.md': '# A\n' }));
    server.set('/acme/moved/archive/HEAD.tar.gz', play.redirect('/acme/there/archive/HEAD.tar.gz'));
    assert.deepEqual((await unpacked('github:acme/moved')).files, ['a.md']);
    server.set('/acme/inside/archive/HEAD.tar.gz', play.redirect('http://169.254.169.254/latest'));
    await assert.rejects(fetchFolder('github:acme/inside'), fails('URL_REFUSED'));
    server.set('/acme/loop/archive/HEAD.tar.gz', play.redirect('/acme/loop/archive/HEAD.tar.gz'));
    await assert.rejects(fetchFolder('github:acme/loop'), fails('URL_REFUSED', /redirects more than/));
  });

  test('the rules for outgoing addresses hold', async () => {
    await assert.rejects(fetchFolder('github:acme/there', {}, { allowPrivate: false }), fails('URL_REFUSED'));
    await assert.rejects(
      fetchFolder('github:acme/there', {}, { allowHosts: ['github.com'] }),
      fails('URL_REFUSED'),
    );
    await assert.rejects(fetchFolder('github:acme/there', {}, { offline: true }), fails('OFFLINE'));
  });

  test('a busy server is asked again; a failing one is named', async () => {
    const bytes = archive({ 'a.md': '# A\n' });
    const path = '/acme/busy/archive/HEAD.tar.gz';
    server.set(path, play.failing(1, play.status(503), play.file(bytes, GZIP)));
    assert.deepEqual((await unpacked('github:acme/busy')).files, ['a.md']);
    server.set(path, play.status(500));
    await assert.rejects(fetchFolder('github:acme/busy'), fails('FETCH_FAILED', /answered 500/));
  });

  test('a transfer that breaks off begins anew, and leaves nothing of the first', async () => {
    const whole = archive({ 'a.md': '# A\n'.repeat(5000), 'b.md': '# B\n' });
    const half: play.Play = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-gzip', 'content-length': whole.length });
      response.write(whole.subarray(0, whole.length - 40), () => response.destroy());
    };
    server.set('/acme/cut/archive/HEAD.tar.gz', play.failing(1, half, play.file(whole, GZIP)));
    assert.deepEqual((await unpacked('github:acme/cut')).files, ['a.md', 'b.md']);
    server.set('/acme/cut/archive/HEAD.tar.gz', half);
    await assert.rejects(fetchFolder('github:acme/cut'), fails('FETCH_FAILED'));
  });

  test('what is no archive is refused', async () => {
    const bodies: Record<string, Buffer> = {
      html: Buffer.from('<!doctype html><title>Sign in</title>'),
      zeros: gzipSync(Buffer.alloc(10_000, 'x')),
      size: gzipSync(tar([{ name: 'r/a.md', body: 'x', size: 0o7777777777 }])),
      empty: gzipSync(Buffer.alloc(1024)),
    };
    for (const [name, body] of Object.entries(bodies)) {
      serve(name, body);
      await assert.rejects(fetchFolder(`github:acme/${name}`), (error: VaiError) => {
        assert.match(error.code, /^(FETCH_FAILED|SOURCE_NOT_FOUND)$/, `${name}: ${error.message}`);
        return true;
      });
    }
  });

  test('paths that lead out, links and devices are passed over and counted', async () => {
    const before = await scratchFolders();
    const more: TarItem[] = [
      { name: 'repo-main/../../escaped.md', body: '# Out\n' },
      { name: '/etc/escaped.md', body: '# Out\n' },
      { name: 'repo-main//tmp/escaped.md', body: '# Out\n' },
      { name: 'repo-main/a\\..\\escaped.md', body: '# Out\n' },
      { name: 'repo-main/C:/escaped.md', body: '# Out\n' },
      { name: 'repo-main/link.md', type: '2', link: '/etc/passwd' },
      { name: 'repo-main/hard.md', type: '1', link: 'repo-main/../../../etc/passwd' },
      { name: 'repo-main/docs', type: '2', link: '/tmp' },
      { name: 'repo-main/docs/inside.md', body: '# In\n' },
      { name: 'repo-main/pipe', type: '6' },
      { name: 'repo-main/a.md/b.md', body: '# B\n' },
      { name: `repo-main/${'d/'.repeat(40)}deep.md`, body: '# Deep\n' },
    ];
    serve('trap', archive({ 'a.md': '# A\n' }, { more }));
    const fetched = await fetchFolder('github:acme/trap');
    assert.ok(fetched.changed);
    const files = (await readdir(fetched.folder, { recursive: true })).sort();
    assert.deepEqual(files, ['a.md', 'docs', 'docs/inside.md']);
    assert.equal(readFileSync(join(fetched.folder, 'docs/inside.md'), 'utf8'), '# In\n');
    assert.equal(existsSync(join(fetched.folder, '..', 'escaped.md')), false);
    assert.deepEqual(fetched.notices, [
      '6 entries with a path that is not allowed were passed over.',
      '4 entries that are links or no files were passed over.',
      '1 entries with the name of a folder were passed over.',
    ]);
    await fetched.remove();
    assert.equal(await scratchFolders(), before);
  });

  test('bombs: what unpacks to too much, too many bytes of text, too long an answer', async () => {
    const before = await scratchFolders();
    const limit = { maxBytes: 100_000 };
    serve('zeros', gzipSync(tar([{ name: 'r/zeros.bin', body: Buffer.alloc(5_000_000) }])));
    await assert.rejects(fetchFolder('github:acme/zeros', {}, limit), fails('TOO_LARGE', /once unpacked/));
    const text = 'a line of text that says nothing\n'.repeat(2000);
    serve('texts', archive({ 'a.md': text, 'b.md': text }));
    await assert.rejects(fetchFolder('github:acme/texts', {}, limit), fails('TOO_LARGE', /bytes of text/));
    server.set('/acme/endless/archive/HEAD.tar.gz', play.endless());
    await assert.rejects(fetchFolder('github:acme/endless', {}, limit), (error: VaiError) =>
      /^(TOO_LARGE|FETCH_FAILED)$/.test(error.code),
    );
    serve('large', archive({ 'a.md': '# A\n', 'huge.md': 'x'.repeat(17 * 1024 * 1024) }));
    const fetched = await unpacked('github:acme/large');
    assert.deepEqual(fetched.files, ['a.md']);
    assert.deepEqual(fetched.notices, ['1 entries larger than 16 MB were passed over.']);
    assert.equal(await scratchFolders(), before);
  });

  test('a caller who gives up ends it at once', async () => {
    server.set('/acme/slow/archive/HEAD.tar.gz', play.slowBody());
    const abort = new AbortController();
    const running = fetchFolder('github:acme/slow', { signal: abort.signal });
    setImmediate(() => abort.abort());
    await assert.rejects(running, fails('CANCELLED'));
  });
});
