// User metadata, made safe once: plain JSON, bounded, without keys a database would read as operators.

import type { Metadata, MetadataValue } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';

const MAX_BYTES = 16_384;
const MAX_DEPTH = 5;
/** Fields the store writes itself; a user's own value moves under `user`. */
const RESERVED = new Set([
  'source',
  'filename',
  'ingestedAt',
  'chunkIndex',
  'totalChunks',
  'model',
  'chunkStrategy',
  'dimensions',
  'docId',
  'docVersion',
  'contentHash',
  'user',
]);

export function checkMetadata(input: Record<string, unknown> | undefined): {
  metadata: Metadata;
  warnings: string[];
} {
  const warnings: string[] = [];
  if (!input) return { metadata: {}, warnings };
  const clean = checkObject(input, 1);
  if (Buffer.byteLength(JSON.stringify(clean)) > MAX_BYTES) throw bad('The metadata is larger than 16 KB.');
  const metadata: Metadata = {};
  const moved: Metadata = {};
  for (const [key, value] of Object.entries(clean)) (RESERVED.has(key) ? moved : metadata)[key] = value;
  if (Object.keys(moved).length > 0) {
    metadata['user'] = moved;
    warnings.push(
      `Stored under metadata.user because vai writes these itself: ${Object.keys(moved).join(', ')}.`,
    );
  }
  return { metadata, warnings };
}

function checkObject(value: object, depth: number): Metadata {
  if (depth > MAX_DEPTH) throw bad(`The metadata is nested deeper than ${MAX_DEPTH} levels.`);
  const clean: Metadata = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === '' || key.startsWith('$') || /[.\0]/.test(key) || key === '__proto__') {
      throw bad('Metadata keys may not be empty, begin with `$`, or hold `.` or NUL.');
    }
    clean[key] = checkValue(inner, depth);
  }
  return clean;
}

function checkValue(value: unknown, depth: number): MetadataValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) {
    if (depth >= MAX_DEPTH) throw bad(`The metadata is nested deeper than ${MAX_DEPTH} levels.`);
    return value.map((item) => checkValue(item, depth + 1));
  }
  if (value && typeof value === 'object') return checkObject(value, depth + 1);
  throw bad('Metadata values are strings, numbers, booleans, null, lists or objects.');
}

function bad(message: string): VaiError {
  return new VaiError('INVALID_INPUT', message, {
    hint: 'Send small, plain JSON, for example {"type": "meeting-notes"}.',
  });
}
