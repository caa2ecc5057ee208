// What travels between the main process and the worker. Answers are JSON beside the bare text, because thousands of small
// objects take several times as long to clone as to write and parse.

import type { AnalysedChunk, Analysis } from '../domain/analysis.ts';
import type { ReadText } from '../domain/document.ts';
import { toVaiError, VaiError, type ErrorCode } from '../domain/errors.ts';
import type { Input, Output, TaskName } from './tasks.ts';

export interface Sent<Name extends TaskName = TaskName> {
  name: Name;
  input: Input<Name>;
}

export type Answer = { json: string; text?: string } | { error: WireError };

interface WireError {
  code: ErrorCode;
  message: string;
  hint?: string;
  data?: Record<string, unknown>;
  /** For the log only. */
  stack?: string;
}

/** Most chunks have the path of one of the headings: its number says which. */
type PackedChunk = Omit<AnalysedChunk, 'headingPath'> & { heading: number | string[] };
type PackedAnalysis = Omit<Analysis, 'chunks'> & { chunks: PackedChunk[] };
interface PackedRead {
  read: Omit<ReadText, 'text'>;
  analysis: PackedAnalysis;
}

export function pack(name: TaskName, output: Output<TaskName>): Answer {
  if (name === 'read') {
    const { read, analysis } = output as Output<'read'>;
    const { text, ...rest } = read;
    return { text, json: JSON.stringify({ read: rest, analysis: packAnalysis(analysis) }) };
  }
  return { json: JSON.stringify(name === 'analyse' ? packAnalysis(output as Analysis) : output) };
}

export function unpack<Name extends TaskName>(name: Name, answer: Answer): Output<Name> {
  if ('error' in answer) throw fromWire(answer.error);
  const value: unknown = JSON.parse(answer.json);
  if (name === 'analyse') return unpackAnalysis(value as PackedAnalysis) as Output<Name>;
  if (name !== 'read') return value as Output<Name>;
  const { read, analysis } = value as PackedRead;
  return { read: { ...read, text: answer.text! }, analysis: unpackAnalysis(analysis) } as Output<Name>;
}

function packAnalysis(analysis: Analysis): PackedAnalysis {
  const numbers = new Map(analysis.headings.map(({ path }, at) => [path, at]));
  return {
    ...analysis,
    chunks: analysis.chunks.map(({ headingPath, ...chunk }) => ({
      ...chunk,
      heading: numbers.get(headingPath) ?? headingPath,
    })),
  };
}

function unpackAnalysis(packed: PackedAnalysis): Analysis {
  return {
    ...packed,
    chunks: packed.chunks.map(({ heading, ...chunk }) => ({
      ...chunk,
      headingPath: typeof heading === 'number' ? packed.headings[heading]!.path : heading,
    })),
  };
}

export function toWire(thrown: unknown): WireError {
  const { code, message, hint, data, cause } = toVaiError(thrown);
  return {
    code,
    message,
    ...(hint ? { hint } : {}),
    ...(data ? { data } : {}),
    ...(cause instanceof Error ? { stack: cause.stack } : {}),
  };
}

function fromWire({ code, message, hint, data, stack }: WireError): VaiError {
  const cause = stack === undefined ? undefined : Object.assign(new Error(message), { stack });
  return new VaiError(code, message, { hint, data, cause });
}
