import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { VaiError } from '../../../src/domain/errors.ts';
import type { Fetched, FetchedText } from '../../../src/ports/source.ts';
import { createFetcher } from '../../../src/sources/web/fetcher.ts';
import type { WebOptions } from '../../../src/sources/web/options.ts';
import * as play from '../../support/docs-server.ts';
import { fails } from '../../support/failure.ts';

const DOC = '# Guide\n\nIntroduction.\n\n## Install\n\nRun the installer.\n';

let server: play.DocsServer;
before(async () => {
  server = await play.startDocsServer();
});
after(() => server.close());

const waits: number[] = [];
function fetcher(options: Partial<WebOptions> = {}) {
  return createFetcher({
    userAgent: 'vai-test',
    allowPrivate: [server.host],
    sleep: async (ms) => {
      waits.push(ms);
    },
    ...options,
  });
}

type Changed = Extract<Fetched, { changed: true }> & FetchedText;
async function changed(path: string, options: Partial<WebOptions> = {}): Promise<Changed> {
  const fetched = await fetcher(options).fetch(server.origin + path, {});
  assert.ok(fetched.changed && fetched.variant !== 'file');
  return fetched;
}

describe('what is fetched', () => {
  test('a URL that names a file, as given', async () => {
    server.set('/a/guide.md', play.file(DOC, { type: 'text/markdown' }));
    const fetched = await changed('/a/guide.md');
    assert.equal(fetched.text, DOC);
    assert.equal(fetched.variant, 'custom');
    assert.equal(fetched.sha256, createHash('sha256').update(DOC).digest('hex'));
    assert.match(fetched.etag ?? '', /^"/);
    assert.deepEqual(fetched.notices, []);
    assert.equal(server.count('/a/guide.md'), 1);
  });

  test('otherwise llms-full.txt beneath it, then llms.txt', async () => {
    server.set('/b/llms-full.txt', DOC);
    server.set('/b/llms.txt', '# Index\n');
    assert.equal((await changed('/b')).url, `${server.origin}/b/llms-full.txt`);
    server.set('/c/llms.txt', DOC);
    const second = await changed('/c/');
    assert.equal(second.url, `${server.origin}/c/llms.txt`);
    assert.equal(second.variant, 'llms');
    assert.deepEqual(second.notices, []);
  });

  test('then at the root of the host', async () => {
    const other = await play.startDocsServer();
    other.set('/llms-full.txt', DOC);
    const fetched = await fetcher({ allowPrivate: true }).fetch(`${other.origin}/deep/docs`, {});
    assert.equal(fetched.url, `${other.origin}/llms-full.txt`);
    assert.deepEqual(
      other.requests.map((request) => request.path),
      ['/deep/docs/llms-full.txt', '/deep/docs/llms.txt', '/deep/docs', '/llms-full.txt'],
    );
    await other.close();
  });

  test('an HTML shell with status 200 is refused and llms.txt used, swapping only the last segment', async () => {
    server.set('/llms-full.txt/d/llms-full.txt', play.htmlShell());
    server.set('/llms-full.txt/d/llms.txt', DOC);
    const fetched = await changed('/llms-full.txt/d/llms-full.txt');
    assert.equal(fetched.url, `${server.origin}/llms-full.txt/d/llms.txt`);
    assert.match(fetched.notices.join(), /HTML page.*Used/);
  });

  test('an HTML shell served as plain text is recognised', async () => {
    server.set('/e/doc.txt', play.htmlShell('text/plain'));
    await assert.rejects(changed('/e/doc.txt'), fails('NOT_DOCUMENTATION', /HTML/));
  });

  test('the fallback of a registry entry', async () => {
    server.set('/f/other.txt', DOC);
    const fetched = await fetcher().fetch(`${server.origin}/f/full.txt`, {
      fallback: `${server.origin}/f/other.txt`,
    });
    assert.equal(fetched.url, `${server.origin}/f/other.txt`);
  });

  test('gzip and brotli are decoded', async () => {
    server.set('/g/gz.txt', play.file(DOC, { encoding: 'gzip' }));
    server.set('/g/br.txt', play.file(DOC, { encoding: 'br' }));
    assert.equal((await changed('/g/gz.txt')).text, DOC);
    assert.equal((await changed('/g/br.txt')).text, DOC);
  });

  test('a byte order mark is removed, bad bytes are replaced and reported', async () => {
    server.set('/h/bom.txt', play.file(Buffer.from('\uFEFF# Ä\n')));
    server.set('/h/bad.txt', play.file(Buffer.from([0x23, 0x20, 0xc4, 0x0a])));
    assert.equal((await changed('/h/bom.txt')).text, '# Ä\n');
    const bad = await changed('/h/bad.txt');
    assert.equal(bad.text, '# \uFFFD\n');
    assert.match(bad.notices.join(), /UTF-8/);
  });
});

describe('what is refused', () => {
  test('binary, empty and foreign types', async () => {
    server.set('/i/bin.txt', play.file(Buffer.from([1, 0, 2, 3])));
    server.set('/i/empty.txt', play.file(' \n\n'));
    server.set('/i/data.json', play.file('{}', { type: 'application/json' }));
    await assert.rejects(changed('/i/bin.txt'), fails('NOT_DOCUMENTATION', /binary/));
    await assert.rejects(changed('/i/empty.txt'), fails('NOT_DOCUMENTATION', /empty/));
    await assert.rejects(changed('/i/data.json'), fails('NOT_DOCUMENTATION', /is JSON/));
  });

  test('plain http, file:, credentials and what is no URL', async () => {
    const strict = fetcher({ allowPrivate: false });
    for (const url of [
      'http://example.com/llms.txt',
      'file:///etc/passwd',
      'ftp://example.com/x',
      'nonsense',
    ])
      await assert.rejects(strict.fetch(url, {}), fails('URL_REFUSED'), url);
    await assert.rejects(strict.fetch('https://me:secret@example.com/', {}), (error: VaiError) => {
      assert.doesNotMatch(`${error.message}${error.hint}`, /secret/);
      return fails('URL_REFUSED')(error);
    });
  });

  test('private, loopback, link-local addresses in every spelling', async () => {
    const strict = fetcher({ allowPrivate: false });
    const hosts = '127.0.0.1 0x7f.1 2130706433 169.254.169.254 10.0.0.1 [::1] [::ffff:10.0.0.1] 100.64.1.1';
    for (const host of hosts.split(' '))
      await assert.rejects(
        strict.fetch(`https://${host}/llms.txt`, {}),
        fails('URL_REFUSED', /no address that may/),
        host,
      );
  });

  test('names that resolve to them, also when only one of several addresses is private', async () => {
    const strict = fetcher({
      allowPrivate: false,
      resolve: async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    });
    await assert.rejects(
      strict.fetch('https://docs.example/llms.txt', {}),
      fails('URL_REFUSED', /no address that may/),
    );
  });

  test('a name that leads nowhere and one that leads inside give the same answer', async () => {
    const answers = await Promise.all(
      [
        async () => [{ address: '10.0.0.1', family: 4 as const }],
        () => Promise.reject(new Error('ENOTFOUND')),
      ].map((resolve) =>
        fetcher({ allowPrivate: false, resolve })
          .fetch('https://intranet.example/llms.txt', {})
          .catch((error: VaiError) => [error.code, error.message, error.hint]),
      ),
    );
    assert.deepEqual(answers[0], answers[1]);
  });

  test('metadata addresses stay closed where private ones are open', async () => {
    const open = fetcher({ allowPrivate: true });
    for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:a9fe:a9fe]', '100.100.100.200'])
      await assert.rejects(open.fetch(`http://${host}/latest/meta-data`, {}), fails('URL_REFUSED'), host);
    const named = fetcher({
      allowPrivate: ['metadata.example'],
      resolve: async () => [{ address: '169.254.169.254', family: 4 }],
    });
    await assert.rejects(named.fetch('http://metadata.example/', {}), fails('URL_REFUSED'));
  });

  test('hosts that are not on the list, also behind a redirect', async () => {
    server.set('/k/away.txt', play.redirect('https://elsewhere.example/llms.txt'));
    const listed = fetcher({ allowHosts: [server.host, '*.docs.example'] });
    await assert.rejects(listed.fetch(`${server.origin}/k/away.txt`, {}), fails('URL_REFUSED', /not among/));
    await assert.rejects(listed.fetch('https://example.com/llms.txt', {}), fails('URL_REFUSED', /not among/));
    server.set('/k/here.txt', DOC);
    assert.equal((await listed.fetch(`${server.origin}/k/here.txt`, {})).changed, true);
  });

  test('a name is resolved once and that address is used: rebinding finds no gap', async () => {
    let asked = 0;
    const { port } = new URL(server.origin);
    server.set('/rebind.txt', DOC);
    const fetched = await fetcher({
      allowPrivate: true,
      resolve: async () => {
        asked += 1;
        return asked === 1 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '192.0.2.1', family: 4 }];
      },
    }).fetch(`http://docs.invalid:${port}/rebind.txt`, {});
    assert.equal(fetched.changed, true);
    assert.equal(asked, 1);
  });

  test('redirects are followed, at most five', async () => {
    server.set('/j/final.txt', DOC);
    server.set('/j/start.txt', play.redirect('/j/final.txt', 301));
    assert.equal((await changed('/j/start.txt')).text, DOC);
    server.set('/j/loop.txt', play.redirect('/j/loop.txt'));
    await assert.rejects(changed('/j/loop.txt'), fails('URL_REFUSED', /redirects more than 5/));
    assert.equal(server.count('/j/loop.txt'), 6);
  });

  test('a redirect to a private address, another scheme or a file is refused', async () => {
    const other = await play.startDocsServer();
    other.set('/secret.txt', 'secret');
    server.set('/k/a.txt', play.redirect(`${other.origin}/secret.txt`));
    server.set('/k/a.pdf', play.redirect(`${other.origin}/secret.txt`));
    server.set('/k/openapi.json', play.redirect(`${other.origin}/secret.txt`));
    server.set('/k/b.txt', play.redirect('http://169.254.169.254/latest/meta-data'));
    server.set('/k/c.txt', play.redirect('file:///etc/passwd'));
    for (const name of ['a.txt', 'a.pdf', 'openapi.json', 'b.txt', 'c.txt'])
      await assert.rejects(changed(`/k/${name}`), fails('URL_REFUSED'), name);
    assert.equal(other.requests.length, 0);
    await other.close();
  });

  test('bodies over the limit: announced, endless and unpacked from a bomb', async () => {
    server.set('/l/big.txt', play.file('x'.repeat(70_000)));
    server.set('/l/endless.txt', play.endless());
    server.set('/l/gzip.txt', play.bomb(16));
    server.set('/l/br.txt', play.bomb(16, 'br'));
    for (const name of ['big', 'endless', 'gzip', 'br'])
      await assert.rejects(changed(`/l/${name}.txt`, { maxBytes: 64_000 }), fails('TOO_LARGE'), name);
  });

  test('the body of a redirect or an error is not taken', async () => {
    server.set('/l/error.txt', play.endless(404));
    await assert.rejects(changed('/l/error.txt', { totalMs: 5000 }), fails('FETCH_FAILED', /404/));
  });

  test('truncated transfers, whatever says so', async () => {
    server.set('/m/length.txt', play.truncated(DOC.repeat(50)));
    server.set('/m/gzip.txt', play.truncated(DOC.repeat(50), 'gzip'));
    server.set('/m/chunked.txt', play.truncated(DOC.repeat(50), 'chunked'));
    for (const name of ['length', 'gzip', 'chunked'])
      await assert.rejects(changed(`/m/${name}.txt`), fails('FETCH_FAILED'), name);
  });

  test('slow bodies and servers that never answer end in time', async () => {
    server.set('/n/slow.txt', play.slowBody());
    server.set('/n/silent.txt', play.silent());
    for (const name of ['slow', 'silent'])
      await assert.rejects(changed(`/n/${name}.txt`, { totalMs: 80 }), fails('TIMEOUT'), name);
  });

  test('everything while offline', async () => {
    const before = server.requests.length;
    await assert.rejects(changed('/a/guide.md', { offline: true }), fails('OFFLINE', /BLZ_OFFLINE/));
    assert.equal(server.requests.length, before);
  });

  test('a caller that goes away stops the transfer', async () => {
    server.set('/o/slow.txt', play.slowBody());
    const stop = new AbortController();
    const running = fetcher().fetch(`${server.origin}/o/slow.txt`, { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await assert.rejects(running, fails('CANCELLED'));
  });
});

describe('asking again', () => {
  test('429 and 503 are retried after what Retry-After says', async () => {
    server.set('/p/busy.txt', play.failing(2, play.status(429, { 'retry-after': '2' }), play.file(DOC)));
    waits.length = 0;
    assert.equal((await changed('/p/busy.txt')).text, DOC);
    assert.deepEqual(waits, [2000, 2000]);
    server.set('/p/down.txt', play.status(503));
    await assert.rejects(changed('/p/down.txt'), fails('FETCH_FAILED', /503/));
    assert.equal(server.count('/p/down.txt'), 3);
    server.set('/p/long.txt', play.status(429, { 'retry-after': '3600' }));
    await assert.rejects(changed('/p/long.txt'), (error: VaiError) => {
      assert.equal(error.data?.retryAfterSeconds, 3600);
      return fails('FETCH_FAILED')(error);
    });
    assert.equal(server.count('/p/long.txt'), 1);
  });

  test('404 is not retried', async () => {
    await assert.rejects(changed('/q/none.md'), fails('FETCH_FAILED', /404/));
    assert.equal(server.count('/q/none.md'), 1);
  });

  test('one conditional request when nothing changed, by either validator', async () => {
    for (const validators of ['etag', 'modified'] as const) {
      const path = `/r/${validators}.txt`;
      server.set(path, play.file(DOC, { validators }));
      const first = await changed(path);
      const before = server.requests.length;
      const again = await fetcher().fetch(server.origin + path, { previous: first });
      assert.equal(again.changed, false);
      assert.equal(server.requests.length, before + 1);
      server.set(path, play.file(`${DOC}More.\n`, { validators, modified: 'Wed, 04 Nov 2026 10:00:00 GMT' }));
      assert.equal((await fetcher().fetch(server.origin + path, { previous: first })).changed, true);
    }
  });

  test('the same bytes with status 200 are unchanged too', async () => {
    server.set('/s/plain.txt', play.file(DOC, { validators: 'none' }));
    const first = await changed('/s/plain.txt');
    const again = await fetcher().fetch(`${server.origin}/s/plain.txt`, { previous: first });
    assert.deepEqual(again, { changed: false, url: `${server.origin}/s/plain.txt` });
  });

  test('a site found through guessing is asked where it was found', async () => {
    server.set('/t/llms.txt', DOC);
    const first = await changed('/t');
    const before = server.requests.length;
    assert.equal((await fetcher().fetch(`${server.origin}/t`, { previous: first })).changed, false);
    assert.deepEqual(
      server.requests.slice(before).map((request) => request.path),
      ['/t/llms.txt'],
    );
  });
});
