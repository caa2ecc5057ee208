// Source code, kept as written, with what it defines and names.

import { patternSymbols } from '../../code/patterns.ts';
import { symbolsOf } from '../../code/symbols.ts';
import { decodeText } from '../decode.ts';
import { readText, type Reader } from '../reader.ts';

export const readCode: Reader = async (name, bytes) => {
  const { text, notices } = decodeText(name, bytes);
  const symbols = (await symbolsOf(name, text)) ?? patternSymbols(name, text);
  return readText({ text, syntax: 'code', symbols, notices });
};
