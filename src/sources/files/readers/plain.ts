// Text without structure that vai knows: plain text, logs, CSV, JSON, YAML, TOML, XML. Kept exactly as written, so that
// nothing of it is parsed and nothing in it can do harm.

import { decodeText } from '../decode.ts';
import { readText, type Reader } from '../reader.ts';

export const readPlain: Reader = (name, bytes) => {
  const { text, notices } = decodeText(name, bytes);
  return readText({ text, syntax: 'plain', notices });
};
