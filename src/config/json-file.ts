// Reads a JSON file of settings. Errors name file and line, never the content, because it may be a secret.

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { parse, type ParseError } from 'jsonc-parser';
import { VaiError } from '../domain/errors.ts';
import { isObject } from '../domain/object.ts';

/** Thousands of server keys fit into the user's own file. */
const MAX_BYTES = 64_000_000;

export type JsonObject = Record<string, unknown>;

/** The object in the file, or undefined when there is no such file. `shown` is how the path may be printed. */
export function readJsonObject(path: string, shown: string, maxBytes = MAX_BYTES): JsonObject | undefined {
  const text = readText(path, shown, maxBytes);
  if (text === undefined) return undefined;
  return parseJsonObject(text, shown);
}

function parseJsonObject(text: string, shown: string): JsonObject {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // The cause is left out on purpose: V8 quotes the text in its message.
    throw configInvalid(shown, `is not valid JSON (line ${lineOfError(body)})`);
  }
  if (!isObject(value)) throw configInvalid(shown, 'must contain one JSON object (line 1)');
  return value;
}

export function configInvalid(shown: string, problem: string): VaiError {
  return new VaiError('CONFIG_INVALID', `The file ${shown} ${problem}.`, {
    hint: 'Correct the file, or move it elsewhere to continue with defaults.',
  });
}

/** The line on which a key of the file stands, for messages about its value; 1 when it cannot be told. */
export function lineOfKey(text: string, key: string): number {
  const at = text.indexOf(JSON.stringify(key));
  return at === -1 ? 1 : lineOf(text, at);
}

/** The text of a file, or undefined when there is no such file. */
export function readText(path: string, shown: string, maxBytes: number): string | undefined {
  let file: number;
  try {
    // Without O_NONBLOCK a pipe of that name would be waited on for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new VaiError('CONFIG_INVALID', `The file ${shown} may not be read by this user.`, {
        hint: 'Correct its permissions or its owner.',
      });
    throw configInvalid(shown, 'cannot be read');
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw configInvalid(shown, 'is not a regular file');
    if (stat.size > maxBytes) throw configInvalid(shown, `is larger than ${maxBytes / 1_000_000} MB`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof VaiError) throw error;
    throw configInvalid(shown, 'cannot be read');
  } finally {
    closeSync(file);
  }
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** The line of the first syntax error. JSON.parse reports a position only sometimes, and quotes the text when it does. */
export function lineOfError(text: string): number {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch {
    // Nested too deeply for this parser, which calls itself for what is inside.
  }
  // An end that came too early is where the text ends, not below it.
  return lineOf(text, Math.min(errors[0]?.offset ?? 0, text.trimEnd().length));
}
