// How models come to this machine: from folders and hubs, at the same time, in part, or not at all.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { VaiError } from '../../../src/domain/errors.ts';
import type { Provider } from '../../../src/models/provider.ts';
import type { AddedModels } from '../../../src/ports/models.ts';
import { failure } from '../../support/failure.ts';
import { asking, E5, hub, MODEL, using } from '../../support/local-models.ts';
import { tinyModelFiles } from '../../support/onnx.ts';
import { WITHOUT_RUNTIME } from '../../support/onnxruntime.ts';

describe('adding a model', { skip: WITHOUT_RUNTIME }, () => {
  test('of two adds of one name one is refused as if it had come later', () =>
    using(async ({ kept, own, provider }) => {
      const adds = await Promise.allSettled(
        [provider(), provider()].map(({ added }) => added!.add({ name: 'tiny', from: own })),
      );
      const refused = adds.flatMap((one) => (one.status === 'rejected' ? [one.reason as VaiError] : []));
      assert.deepEqual(
        refused.map(({ message }) => message),
        ['There is already a model tiny.'],
      );
      assert.deepEqual(readdirSync(kept), ['tiny']);
    }));

  test('what a killed add left behind goes after a day', () =>
    using(async ({ kept, own, provider }) => {
      for (const [name, time] of [
        ['.adding-old', '2026-11-15T11:00:00Z'],
        ['.adding-new', '2026-11-16T11:00:00Z'],
      ] as const) {
        // prettier-ignore
        mkdirSync(join(kept, name), { recursive: true });
        writeFileSync(join(kept, name, 'model.onnx'), 'half');
        utimesSync(join(kept, name), new Date(time), new Date(time));
      }
      await provider().added!.add({ name: 'tiny', from: own });
      assert.deepEqual(readdirSync(kept).sort(), ['.adding-new', 'tiny']);
    }));

  test('a hub is asked once, for what it has; the files say the rest', () =>
    using(({ provider }) =>
      hub('me/tiny', tinyModelFiles(MODEL), async (address, asked) => {
        const local = provider({ HF_ENDPOINT: address, HF_HUB_OFFLINE: '' });
        const progress: string[] = [];
        const model = await local.added!.add(
          { name: 'me/tiny' },
          { onProgress: (file, bytes, total) => void progress.push(`${file} ${bytes === total}`) },
        );
        assert.equal(model.source, `${address}/me/tiny`);
        assert.equal(model.model, 'me/tiny');
        assert.ok(progress.includes('onnx/model_quantized.onnx true'), progress.join());
        asked.length = 0;
        await (await local.embedder!(asking('me/tiny'))).embed(['red'], { role: 'query' });
        assert.deepEqual(asked, []);
      }),
    ));

  test('the default is added when it is first used, and tells how far it is', () =>
    using(({ provider, told }) =>
      hub(E5, tinyModelFiles(MODEL), async (address) => {
        const local = provider({ HF_ENDPOINT: address, HF_HUB_OFFLINE: '' });
        await (await local.embedder!(asking(E5, 8))).embed(['red'], { role: 'query' });
        assert.ok(told.includes(`${E5}: onnx/model_quantized.onnx 100 %`), told.join('\n'));
      }),
    ));

  test('uses at the same time share one download, and those of another process what came first', () =>
    using(({ kept, provider }) =>
      hub(E5, tinyModelFiles(MODEL), async (address, asked) => {
        const env = { HF_ENDPOINT: address, HF_HUB_OFFLINE: '' };
        const use = async (local: Provider) => (await local.embedder!(asking(E5, 8))).dimensions;
        const one = provider(env);
        assert.deepEqual(await Promise.all([use(one), use(one)]), [8, 8]);
        assert.equal(asked.filter((path) => path === 'tokenizer.json').length, 1);
        assert.equal(await one.added!.remove(E5), true);
        assert.deepEqual(await Promise.all([use(provider(env)), use(provider(env))]), [8, 8]);
        assert.deepEqual(readdirSync(kept), ['Xenova+e5-small-v2']);
      }),
    ));

  test('a mirror may be named by its address, and the model is called as there', () =>
    using(({ provider }) =>
      hub('me/tiny', tinyModelFiles(MODEL), async (address) => {
        const local = provider({ HF_ENDPOINT: address, HF_HUB_OFFLINE: '' });
        assert.equal((await local.added!.add({ name: `${address}/me/tiny` })).name, 'me/tiny');
      }),
    ));

  test('a hub is asked for files as they are; one that packs them all the same is understood', () =>
    using(async ({ provider }) => {
      const files = tinyModelFiles(MODEL);
      const wanted = new Set<string | undefined>();
      const server = createServer((request, response) => {
        const bytes = files.get(request.url!.split('/resolve/main/')[1]!);
        wanted.add(request.headers['accept-encoding']);
        const packed = bytes && gzipSync(bytes);
        const head = { 'content-encoding': 'gzip', 'content-length': packed?.length };
        response.writeHead(packed ? 200 : 404, packed ? head : {});
        response.end(packed);
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      try {
        const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const local = provider({ HF_ENDPOINT: address, HF_HUB_OFFLINE: '' });
        assert.equal((await local.added!.add({ name: 'me/tiny' })).dimensions, 8);
        assert.deepEqual([...wanted], ['identity']);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    }));

  test('a file that is said to be too large is not read, and let go of', () =>
    using(async ({ kept, provider }) => {
      let letGo = 0;
      const get = async () =>
        new Response(new ReadableStream({ cancel: () => void letGo++ }), {
          headers: { 'content-length': '3000000000' },
        });
      const local = provider({ HF_HUB_OFFLINE: '' }, get);
      assert.equal((await failure(local.added!.add({ name: 'me/tiny' }))).code, 'TOO_LARGE');
      assert.equal(letGo, 1);
      assert.deepEqual(readdirSync(kept), []);
    }));

  test('what cannot be written is not called a failed download', () =>
    using(({ kept, own, provider }) =>
      hub(
        'me/tiny',
        tinyModelFiles(MODEL),
        async (address) => {
          const local = provider({ HF_ENDPOINT: address, HF_HUB_OFFLINE: '' });
          assert.equal((await failure(local.added!.add({ name: 'me/tiny' }))).code, 'WRITE_FAILED');
          assert.deepEqual(readdirSync(kept), []);
          rmSync(kept, { recursive: true });
          writeFileSync(kept, 'a file where the folder should be');
          assert.equal((await failure(local.added!.add({ name: 'tiny', from: own }))).code, 'WRITE_FAILED');
        },
        // Something is in the way of the file that comes next.
        (path) => path === 'tokenizer_config.json' && mkdirSync(join(kept, readdirSync(kept)[0]!, path)),
      ),
    ));

  test('what fails says why and leaves nothing behind', () =>
    using(async ({ kept, own, provider }) => {
      const local = provider();
      const refused = async (pattern: RegExp, request: Parameters<AddedModels['add']>[0]) => {
        const error = await failure(local.added!.add(request));
        assert.match(`${error.message} ${error.hint}`, pattern);
        assert.ok(!`${error.message}${error.hint}`.includes(kept), 'no path of this machine');
        if (existsSync(kept)) assert.deepEqual(readdirSync(kept), []);
      };
      await refused(/is not a valid model name/, { name: '../outside', from: own });
      await refused(/neither a folder nor a model/, { name: 'mine', from: 'what is this' });
      // A folder is named by its whole path, so that none of the working folder is taken for a model's name.
      await refused(/neither a folder/, { name: 'mine', from: relative(process.cwd(), own) });
      await refused(/downloads are turned off/, { name: 'me/tiny' });
      const away = await failure(
        provider({ HF_ENDPOINT: 'http://127.0.0.1:1', HF_HUB_OFFLINE: '' }).added!.add({ name: 'me/tiny' }),
      );
      assert.match(away.message, /could not be downloaded \(tokenizer\.json\)/);
      assert.match((await failure(Promise.resolve(local.embedder!(asking(E5, 384))))).message, /turned off/);
      writeFileSync(join(own, 'onnx/model_quantized.onnx'), 'not a model');
      await refused(/could not be run as a model/, { name: 'mine', from: own });
      rmSync(join(own, 'onnx/model_quantized.onnx'));
      writeFileSync(join(own, 'model.safetensors'), '');
      await refused(/no ONNX file.*model\.safetensors.*another format/, { name: 'mine', from: own });
      for (const name of ['a.onnx', 'b.onnx']) writeFileSync(join(own, name), '');
      await refused(/several ONNX files.*--file: a\.onnx, b\.onnx/, { name: 'mine', from: own });
      rmSync(join(own, 'tokenizer.json'));
      await refused(/no tokenizer\.json/, { name: 'mine', from: own, file: 'a.onnx' });
    }));

  test('half a download is not kept', () =>
    using(async ({ kept, provider }) => {
      const server = createServer((request, response) => {
        response.writeHead(200, { 'content-length': 1_000 });
        response.write('x'.repeat(400), () => response.destroy());
        void request;
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      try {
        const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const local = provider({ HF_ENDPOINT: address, HF_HUB_OFFLINE: '' });
        assert.equal((await failure(local.added!.add({ name: 'me/tiny' }))).code, 'PROVIDER_UNAVAILABLE');
        assert.deepEqual(readdirSync(kept), []);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    }));

  test('names with and without a slash lie beside each other', () =>
    using(async ({ own, provider }) => {
      const { added } = provider();
      const names = async () => (await added!.list()).map(({ name }) => name);
      await added!.add({ name: 'bge', from: own });
      await added!.add({ name: 'bge/small', from: own });
      assert.deepEqual(await names(), ['bge', 'bge/small']);
      await added!.remove('bge');
      assert.deepEqual(await names(), ['bge/small']);
      await added!.add({ name: 'bge', from: own });
      await added!.remove('bge/small');
      assert.deepEqual(await names(), ['bge']);
    }));
});
