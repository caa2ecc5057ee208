// Where the files of a model come from: a folder, or a model hub (Hugging Face, or a mirror that is laid out like it).

import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import type { Environment } from '../provider.ts';

const HUB = 'https://huggingface.co';
/** Laid out as hubs do; the 8-bit file first, which is a quarter of the size. */
const USUAL = ['onnx/model_quantized.onnx', 'model_quantized.onnx', 'onnx/model.onnx', 'model.onnx'];
/** Files of a folder that are looked at. */
const MOST_FILES = 2_000;
const DEPTH = 4;

/** Names for which no address needs to be known. */
const BY_NAME: Record<string, string> = {
  'all-MiniLM-L6-v2': 'Xenova/all-MiniLM-L6-v2',
  'bge-small-en-v1.5': 'Xenova/bge-small-en-v1.5',
  'e5-small-v2': 'Xenova/e5-small-v2',
  'ms-marco-MiniLM-L-6-v2': 'Xenova/ms-marco-MiniLM-L-6-v2',
  'bge-reranker-base': 'Xenova/bge-reranker-base',
};

export interface OpenFile {
  bytes: number | undefined;
  content: AsyncIterable<Uint8Array>;
  /** Lets go of what was not read. */
  close(): Promise<void>;
}

export interface ModelSource {
  /** As a person reads it. */
  shown: string;
  /** Paths of the weights and of the tokenizer to try, best first. */
  weights: readonly string[];
  tokenizers: readonly string[];
  /** Undefined where there is no such file. */
  open(path: string, signal: AbortSignal): Promise<OpenFile | undefined>;
  /** What to tell a person where a file is not there, and where it could not be read to its end. */
  lacks(path: string): VaiError;
  failed(path: string, cause: unknown): VaiError;
}

export interface SourceRequest {
  /** A folder by its whole path, an address, or a hub's name for a model. */
  from: string;
  /** Which ONNX file, where there are several. */
  file?: string;
}

export interface SourceDeps {
  env: Environment;
  fetch: typeof fetch;
}

export async function findSource(deps: SourceDeps, { from, file }: SourceRequest): Promise<ModelSource> {
  // Never by a path within the folder somebody happens to be in: what lies there under a model's name may be anybody's.
  if (isAbsolute(from) && (await isFolder(from))) return fromFolder(from, file);
  const hub = parseHub(from, deps.env);
  if (!hub)
    throw new VaiError(
      'INVALID_INPUT',
      `\`${from.slice(0, 200)}\` is neither a folder nor a model of a hub.`,
      {
        hint: `Name a folder with an ONNX file and its tokenizer.json, \`owner/model\`, its https address, or one of ${Object.keys(BY_NAME).join(', ')}.`,
      },
    );
  if (deps.env['HF_HUB_OFFLINE'] === '1' || deps.env['BLZ_OFFLINE'] === '1')
    throw new VaiError(
      'OFFLINE',
      `The model ${hub.id} is not on this machine, and downloads are turned off.`,
      {
        hint: `Unset HF_HUB_OFFLINE and BLZ_OFFLINE, or copy its folder here and run \`vai models add ${hub.id} --from <folder>\`.`,
      },
    );
  return fromHub(deps.fetch, hub, file);
}

async function fromFolder(folder: string, file: string | undefined): Promise<ModelSource> {
  const paths = await filesIn(folder);
  const networks = paths.filter((path) => path.endsWith('.onnx'));
  const weights = file ?? USUAL.find((path) => networks.includes(path)) ?? networks[0];
  if (weights === undefined || !paths.includes(weights)) throw noWeights(paths, file);
  if (networks.length > 1 && file === undefined && !USUAL.includes(weights))
    throw new VaiError('INVALID_INPUT', 'The folder contains several ONNX files.', {
      hint: `Choose one with --file: ${networks.slice(0, 8).join(', ')}.`,
    });
  const near = [posix.dirname(weights), posix.dirname(posix.dirname(weights)), '.'];
  const named = paths.filter((path) => path.endsWith('tokenizer.json'));
  return {
    shown: `folder ${basename(folder)}`,
    weights: [weights],
    tokenizers: [
      ...near.map((place) => posix.join(place, 'tokenizer.json')),
      ...(named.length === 1 ? named : []),
    ],
    async open(path, signal) {
      const found = await stat(join(folder, path)).catch(() => undefined);
      if (!found?.isFile()) return undefined;
      const content = createReadStream(join(folder, path), { signal });
      // Whoever reads it is told; until then nobody listens.
      content.on('error', () => {});
      return { bytes: found.size, content, close: async () => void content.destroy() };
    },
    lacks: (path) =>
      new VaiError('INVALID_INPUT', `The folder holds no ${path}.`, {
        hint: 'A model is a folder with an ONNX file and its tokenizer.json.',
      }),
    failed: (path, cause) => new VaiError('FILE_UNREADABLE', `${path} could not be read.`, { cause }),
  };
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Paths below a folder, the upper ones first: as many and as deep as a model's files are. */
async function filesIn(folder: string): Promise<string[]> {
  const paths: string[] = [];
  let level = ['.'];
  for (let depth = 0; depth < DEPTH && level.length > 0 && paths.length < MOST_FILES; depth++) {
    const below: string[] = [];
    for (const place of level)
      for (const entry of await readdir(join(folder, place), { withFileTypes: true }))
        (entry.isDirectory() ? below : paths).push(posix.join(place, entry.name));
    level = below.slice(0, MOST_FILES);
  }
  return paths.slice(0, MOST_FILES);
}

function noWeights(paths: readonly string[], file: string | undefined): VaiError {
  const other = paths.find((path) => /\.(?:safetensors|bin|pt|gguf)$/.test(path));
  return new VaiError(
    'INVALID_INPUT',
    file === undefined ? 'The folder holds no ONNX file.' : `The folder holds no file ${file.slice(0, 200)}.`,
    {
      hint: other
        ? `${other} holds weights in another format. Export them (\`optimum-cli export onnx --model <folder> <new folder>\`) or take a version of the model that comes as ONNX.`
        : 'A model is a folder with an ONNX file and its tokenizer.json.',
    },
  );
}

interface Hub {
  base: string;
  id: string;
  revision: string;
}

function parseHub(from: string, env: Environment): Hub | undefined {
  const base = (env['HF_ENDPOINT'] || HUB).replace(/\/$/, '');
  const id = BY_NAME[from] ?? from;
  if (/^\w[\w.-]*\/\w[\w.-]*$/.test(id)) return { base, id, revision: 'main' };
  if (!URL.canParse(from)) return undefined;
  const { origin, protocol, pathname } = new URL(from);
  const [owner, model, , revision = 'main'] = pathname.split('/').filter(Boolean);
  if ((protocol !== 'https:' && origin !== base) || !owner || !model) return undefined;
  return { base: origin, id: `${owner}/${model}`, revision };
}

/** What a model is called where nobody gave it a name. */
export function nameOf(from: string, env: Environment): string {
  const hub = parseHub(from, env);
  return hub ? hub.id : basename(from);
}

function fromHub(get: typeof fetch, { base, id, revision }: Hub, file: string | undefined): ModelSource {
  const failed = (path: string, cause: unknown): VaiError => unreachable(id, path, cause);
  return {
    shown: `${base}/${id}${revision === 'main' ? '' : `/tree/${revision}`}`,
    weights: file ? [file] : USUAL,
    tokenizers: ['tokenizer.json'],
    async open(path, signal) {
      const url = `${base}/${id}/resolve/${encodeURIComponent(revision)}/${path.split('/').map(encodeURIComponent).join('/')}`;
      // As it is: packed, its length would not be known.
      const headers = { 'accept-encoding': 'identity' };
      const response = await get(url, { signal, headers }).catch((cause: unknown) => {
        if (signal.aborted) throw signal.reason;
        throw failed(path, cause);
      });
      const { body } = response;
      if (response.ok && body) {
        // Some pack it all the same, and tell the length of that.
        const packed = response.headers.has('content-encoding');
        const length = packed ? 0 : Number(response.headers.get('content-length'));
        return {
          bytes: length > 0 ? length : undefined,
          content: body,
          close: () => body.cancel().catch(() => undefined),
        };
      }
      await body?.cancel();
      if (response.status === 404) return undefined;
      throw failed(path, `status ${response.status}`);
    },
    lacks: (path) =>
      new VaiError('MODEL_UNSUPPORTED', `The hub has no file ${path} for ${id}.`, {
        hint: 'Name another ONNX file of it with --file, or take a version of the model that comes as ONNX with a tokenizer.json.',
      }),
    failed,
  };
}

const unreachable = (model: string, file: string, cause: unknown): VaiError =>
  new VaiError(
    'PROVIDER_UNAVAILABLE',
    `The model ${model} is not on this machine and could not be downloaded (${file}).`,
    {
      hint: `Connect once to the hub (or set HF_ENDPOINT to a mirror), or copy its folder here and run \`vai models add ${model} --from <folder>\`, or use the builtin models.`,
      cause,
    },
  );

/** Beside the tokenizer lies what else is known about a model. */
export const beside = (tokenizer: string, file: string): string => posix.join(dirname(tokenizer), file);
