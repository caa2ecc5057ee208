// The parsers of source code: WebAssembly grammars for tree-sitter, each loaded when the first file of its language comes
// and kept. They are packed into the package by the build; in a checkout they lie in the packages they come from.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliDecompressSync } from 'node:zlib';
import { Language, Parser, Query } from 'web-tree-sitter';
import { oncePerKey } from '../../domain/once.ts';
import sources from './grammars.json' with { type: 'json' };
import { QUERIES, type Grammar } from './queries.ts';

export interface LoadedGrammar {
  parser: Parser;
  query: Query;
}

let ready: Promise<void> | undefined;

export const loadGrammar = oncePerKey(load);

async function load(grammar: Grammar): Promise<LoadedGrammar> {
  await (ready ??= Parser.init({ wasmBinary: read('web-tree-sitter') }));
  const language = await Language.load(read(grammar));
  const parser = new Parser();
  parser.setLanguage(language);
  return { parser, query: new Query(language, QUERIES[grammar]) };
}

function read(name: keyof typeof sources): Uint8Array {
  const packed = new URL(`./grammars/${name}.wasm.br`, import.meta.url);
  if (existsSync(packed)) return brotliDecompressSync(readFileSync(packed));
  return readFileSync(createRequire(import.meta.url).resolve(sources[name]));
}
