// What tests of models on this machine share: tiny models in a folder, a provider with a home of its own, and a hub.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createProvider } from '../../src/models/local/provider.ts';
import type { Provider } from '../../src/models/provider.ts';
import { writeTinyModel, type TinyModel } from './onnx.ts';
import { loadRuntime } from './onnxruntime.ts';
import { tempFolder } from './temp-folder.ts';

export const MODEL: TinyModel = {
  words: ['query', 'passage', ':', 'red', 'green', 'blue', 'length'],
  dimensions: 8,
  maxTokens: 16,
};
export const E5 = 'Xenova/e5-small-v2';

export interface Place {
  /** Of the models that are kept. */
  kept: string;
  /** A folder of the user's with a model in it. */
  own: string;
  told: string[];
  provider: (env?: Record<string, string>, get?: typeof fetch) => Provider;
}

export async function using(work: (place: Place) => Promise<void>): Promise<void> {
  const root = tempFolder('onnx');
  const told: string[] = [];
  const own = join(root, 'own');
  writeTinyModel(own, MODEL);
  await work({
    kept: join(root, 'home/models'),
    own,
    told,
    provider: (env = {}, get = fetch) =>
      createProvider(
        {
          settings: {},
          env: { HF_HUB_OFFLINE: '1', ...env },
          home: join(root, 'home'),
          fetch: get,
          now: () => new Date('2026-11-16T12:00:00Z'),
          notify: (message) => void told.push(message),
        },
        { load: loadRuntime },
      ),
  });
}

export const asking = (modelId: string, dimensions?: number) => ({
  ...{ model: modelId, modelId, sendDimensions: false, hosted: false, trust: 0.6 },
  ...(dimensions === undefined ? {} : { dimensions }),
});

/** A hub that serves these files of one model. */
export async function hub(
  model: string,
  files: ReadonlyMap<string, Uint8Array>,
  work: (address: string, asked: string[]) => Promise<void>,
  onAsked: (path: string) => void = () => {},
): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.split(`/${model}/resolve/main/`)[1] ?? '';
    const bytes = files.get(path);
    asked.push(path);
    onAsked(path);
    response.writeHead(bytes ? 200 : 404, { 'content-length': bytes?.length ?? 0 });
    response.end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
