// Packs the parsers of source code into the build: compressed, because they are tables that shrink to a fifteenth.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const GRAMMARS = JSON.parse(readFileSync(join(root, 'src/sources/code/grammars.json'), 'utf8'));

/** @param {string} outdir */
export function packGrammars(outdir) {
  mkdirSync(join(outdir, 'grammars'), { recursive: true });
  for (const [name, file] of Object.entries(GRAMMARS)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    const packed = brotliCompressSync(readFileSync(require.resolve(file)), { params });
    writeFileSync(join(outdir, 'grammars', `${name}.wasm.br`), packed);
  }
}

/** Who wrote each grammar: the packages they are built by carry no licence but their own. */
const AUTHORS = {
  bash: '2017 Max Brunsfeld',
  c: '2014 Max Brunsfeld',
  c_sharp: '2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors',
  cpp: '2014 Max Brunsfeld',
  dart: '2020-2022 UserNobody14 and others',
  go: '2014 Max Brunsfeld',
  haskell: '2014 Max Brunsfeld',
  java: '2017 Ayman Nadeem',
  javascript: '2014 Max Brunsfeld',
  kotlin: '2019 fwcd',
  lua: '2021 Munif Tanjim',
  php: '2017 Josh Vera, GitHub; 2019 Max Brunsfeld, Amaan Qureshi, Christian Frøystad, Caleb White',
  python: '2016 Max Brunsfeld',
  ruby: '2016 Rob Rix',
  rust: '2017 Maxim Sokolov',
  scala: '2018 Max Brunsfeld and GitHub',
  swift: '2021 alex-pinkus',
  tsx: '2017 Max Brunsfeld',
  typescript: '2017 Max Brunsfeld',
  zig: '2024 Amaan Qureshi',
};

/** Licences of the grammars: MIT (Dart: ISC, with the same conditions), and Apache 2.0 for Elixir. */
export function grammarLicences() {
  const mit = readFileSync(join(root, 'node_modules/web-tree-sitter/LICENSE'), 'utf8');
  const apache = readFileSync(join(root, 'node_modules/typescript/LICENSE.txt'), 'utf8');
  const authors = Object.entries(AUTHORS).map(([name, who]) => `tree-sitter-${name}: Copyright (c) ${who}`);
  return [
    `--- tree-sitter grammars (MIT) ---\n${authors.join('\n')}\n\n${mit.slice(mit.indexOf('Permission')).trim()}\n`,
    `--- tree-sitter-elixir (Apache-2.0) ---\nCopyright the authors of elixir-lang/tree-sitter-elixir.\n\n${apache.trim()}\n`,
  ];
}
