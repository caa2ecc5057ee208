// Log lines in which changes, removals and insertions show: each carries a digest of itself and of the previous line by
// the same process. Someone who can write the file could rewrite a whole chain; the digest of its end in the request
// log, kept elsewhere, reveals that too.

import { hash, randomBytes } from 'node:crypto';

export interface Chain {
  /** Hands the next line, with its line end, to `write`; one that could not be written is no part of the chain. */
  link(record: Record<string, unknown>, write: (line: string) => void): void;
  /** Where it stands: which chain, how many lines, the digest of the last. */
  head(): { chain: string; lines: number; hash: string };
}

const FIRST = '0'.repeat(64);
const END = /,"hash":"([0-9a-f]{64})"\}$/;

export function createChain(): Chain {
  const chain = randomBytes(6).toString('hex');
  let hash = FIRST;
  let lines = 0;
  return {
    link(record, write) {
      const body = JSON.stringify({ ...record, chain, seq: lines + 1, prev: hash });
      const next = digest(body);
      write(`${body.slice(0, -1)},"hash":"${next}"}\n`);
      hash = next;
      lines += 1;
    },
    head: () => ({ chain, lines, hash }),
  };
}

export interface Verdict {
  lines: number;
  chains: number;
  /** What does not fit, by line counted over all texts. */
  breaks: { line: number; problem: string }[];
}

/** Looks at texts in the order they were written. A chain may begin in the middle: older files are gone. */
export function verifyChains(texts: Iterable<string>): Verdict {
  const ends = new Map<string, { seq: number; hash: string }>();
  const breaks: Verdict['breaks'] = [];
  let lines = 0;
  for (const text of texts) {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      lines += 1;
      const problem = check(line, ends);
      if (problem) breaks.push({ line: lines, problem });
    }
  }
  return { lines, chains: ends.size, breaks };
}

function check(line: string, ends: Map<string, { seq: number; hash: string }>): string | undefined {
  const hash = END.exec(line)?.[1];
  if (!hash) return 'is not a line of an audit log';
  const body = `${line.slice(0, -`,"hash":"${hash}"}`.length)}}`;
  if (digest(body) !== hash) return 'was changed';
  const { chain, seq, prev } = JSON.parse(body) as { chain: string; seq: number; prev: string };
  const before = ends.get(chain);
  ends.set(chain, { seq, hash });
  if (!before) return undefined;
  if (seq !== before.seq + 1)
    return `follows line ${before.seq} of its chain as line ${seq}: lines are missing`;
  return prev === before.hash ? undefined : 'does not follow the line before it';
}

function digest(text: string): string {
  return hash('sha256', text, 'hex');
}
