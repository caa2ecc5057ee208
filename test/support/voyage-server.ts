// A Voyage API on loopback that answers like the real one, refuses what the real one refuses, counts everything, and
// plays the failures it is told to. Vectors are hashed bags of words, so that related texts are near each other.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';

export type Behaviour =
  | 'ok'
  /** No answer until the client goes away. */
  | 'hang'
  | 'short'
  | 'reordered'
  | 'wrong-length'
  | 'twice'
  | 'not-a-number'
  | { status: number; body?: string; headers?: Record<string, string> };

export interface VoyageCall {
  path: string;
  model: string;
  texts: number;
  tokens: number;
  body: Record<string, unknown>;
  authorization: string;
  status: number;
}

export interface FakeVoyage {
  base: string;
  /** Every request in the order of arrival, answered or not. */
  calls: VoyageCall[];
  /** Most requests that were open together. */
  maxInFlight: number;
  /** Requests whose client went away before the answer. */
  aborted: number;
  /** Billed tokens. */
  tokens: number;
  /** What the next requests meet; afterwards `ok`. */
  play(...behaviours: Behaviour[]): void;
  close(): Promise<void>;
}

export interface FakeOptions {
  dimensions?: number;
  /** Wait before every answer, so that requests overlap. */
  delayMs?: number;
  /** Requests are answered when so many are open: all of them together. */
  together?: number;
  /** Tokens one request may hold; default: the vendor's limit of the model. */
  tokenCap?: number;
  key?: string;
}

const CAPS: Record<string, number> = { 'voyage-4': 320_000, 'voyage-4-lite': 1_000_000 };
const DEFAULT_CAP = 120_000;

/** Between the real tokeniser and the client's own high estimate. */
export const fakeTokens = (text: string): number => Math.ceil(text.length / 4);

export async function startVoyage(options: FakeOptions = {}): Promise<FakeVoyage> {
  const script: Behaviour[] = [];
  let inFlight = 0;
  const fake: FakeVoyage = {
    base: '',
    calls: [],
    maxInFlight: 0,
    aborted: 0,
    tokens: 0,
    play: (...behaviours) => void script.push(...behaviours),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(404).end();
      return;
    }
    inFlight += 1;
    fake.maxInFlight = Math.max(fake.maxInFlight, inFlight);
    response.once('close', () => {
      inFlight -= 1;
      if (!response.writableFinished) fake.aborted += 1;
    });
    void handle(request, response);
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await readJson(request)) as Record<string, unknown>;
    const texts = textsOf(body);
    const call: VoyageCall = {
      path: new URL(request.url ?? '/', 'http://x').pathname,
      model: String(body.model),
      texts: texts.length,
      tokens: billed(body, texts),
      body,
      authorization: request.headers.authorization ?? '',
      status: 0,
    };
    fake.calls.push(call);
    const behaviour = script.shift() ?? 'ok';
    if (behaviour === 'hang') return;
    if (options.together) await company(options.together);
    if (options.delayMs) await new Promise((resolve) => setTimeout(resolve, options.delayMs));
    const answer =
      typeof behaviour === 'object'
        ? scripted(behaviour)
        : (refused(call, texts) ?? accepted(call, texts, behaviour));
    call.status = answer.status;
    if (answer.status === 200) fake.tokens += call.tokens;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  }

  const lonely: (() => void)[] = [];
  async function company(size: number): Promise<void> {
    if (lonely.length + 1 < size) return new Promise((resolve) => lonely.push(resolve));
    for (const go of lonely.splice(0)) go();
  }

  function refused(call: VoyageCall, texts: string[]): Answer | undefined {
    if (options.key && call.authorization !== `Bearer ${options.key}`)
      return json(401, { detail: `Provided API key ${call.authorization} is invalid.` });
    if ('top_n' in call.body) return json(400, { detail: 'Argument top_n is not supported' });
    if (texts.length === 0 || texts.length > 1_000)
      return json(400, { detail: 'The list must have 1 to 1000 items' });
    if (texts.includes('')) return json(400, { detail: 'Input cannot contain empty strings' });
    const cap =
      options.tokenCap ?? (call.path === '/v1/rerank' ? 600_000 : (CAPS[call.model] ?? DEFAULT_CAP));
    if (call.tokens > cap) {
      return json(400, {
        detail: `Request to model '${call.model}' failed. The max allowed tokens per submitted batch is ${cap}. Your batch has ${call.tokens} tokens after truncation.`,
      });
    }
    return undefined;
  }

  function accepted(call: VoyageCall, texts: string[], behaviour: Behaviour): Answer {
    const usage = { total_tokens: call.tokens };
    if (call.path === '/v1/rerank') {
      const data = texts.map((text, index) => ({
        index,
        relevance_score: overlap(String(call.body.query), text),
      }));
      data.sort((a, b) => b.relevance_score - a.relevance_score);
      return json(200, { object: 'list', data: distort(data, behaviour), usage });
    }
    const asked = call.body.output_dimension as number | undefined;
    const length = (asked ?? options.dimensions ?? 1024) + (behaviour === 'wrong-length' ? 1 : 0);
    const data = texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: fakeVector(text, length),
    }));
    return json(200, { object: 'list', data: distort(data, behaviour), usage });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return fake;
}

interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body), headers: {} });

const scripted = (behaviour: Exclude<Behaviour, string>): Answer => ({
  status: behaviour.status,
  body: behaviour.body ?? JSON.stringify({ detail: 'scripted failure' }),
  headers: behaviour.headers ?? {},
});

function distort<T extends { index: number; embedding?: number[] }>(
  data: T[],
  behaviour: Behaviour,
): unknown[] {
  if (behaviour === 'short') return data.slice(1);
  if (behaviour === 'reordered') return data.toReversed();
  if (behaviour === 'twice') return data.map((item) => ({ ...item, index: 0 }));
  if (behaviour === 'not-a-number')
    return data.map((item) => ({ ...item, embedding: item.embedding?.map(() => null) }));
  return data;
}

function textsOf(body: Record<string, unknown>): string[] {
  if (Array.isArray(body.input)) return body.input as string[];
  if (Array.isArray(body.documents)) return body.documents as string[];
  const inputs = (body.inputs ?? []) as { content: { text: string }[] }[];
  return inputs.map((input) => input.content.map((part) => part.text).join(' '));
}

function billed(body: Record<string, unknown>, texts: string[]): number {
  const sum = texts.reduce((total, text) => total + fakeTokens(text), 0);
  return typeof body.query === 'string' ? sum + fakeTokens(body.query) * texts.length : sum;
}

function fakeVector(text: string, length: number): number[] {
  const vector = new Array<number>(length).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 2166136261;
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 16777619) >>> 0;
    vector[hash % length]! += 1;
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => value / norm);
}

function overlap(query: string, text: string): number {
  const words = new Set(query.toLowerCase().match(/\w+/g) ?? []);
  const found = (text.toLowerCase().match(/\w+/g) ?? []).filter((word) => words.has(word));
  return words.size ? Math.min(1, new Set(found).size / words.size) : 0;
}
