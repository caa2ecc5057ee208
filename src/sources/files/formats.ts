// Which reader takes which file: by name, then by what the bytes begin with. A format that a library reads is loaded when
// the first such file comes, and is never read in the main process: how long the library takes is not in our hands.

import { VaiError } from '../../domain/errors.ts';
import { binary, shortName } from './decode.ts';
import type { Reader } from './reader.ts';
import { readAsciidoc } from './readers/asciidoc.ts';
import { readMarkdown } from './readers/markdown.ts';
import { readNotebook } from './readers/notebook.ts';
import { readPlain } from './readers/plain.ts';
import { readRst } from './readers/rst.ts';

const byLibrary = new Set<Reader>();

function lazily(load: () => Promise<Reader>): Reader {
  const reader: Reader = async (name, bytes) => (await load())(name, bytes);
  byLibrary.add(reader);
  return reader;
}

const readCode = lazily(async () => (await import('./readers/code.ts')).readCode);
const readHtml = lazily(async () => (await import('./readers/html.ts')).readHtml);
const readPdf = lazily(async () => (await import('./readers/pdf.ts')).readPdf);
const readDocx = lazily(async () => (await import('./readers/docx.ts')).readDocx);

const readOpenApi = lazily(async () => (await import('./readers/openapi.ts')).readOpenApi);

const CODE =
  'js mjs cjs jsx ts mts cts tsx vue svelte py pyi rb rake gemspec go rs java kt kts scala sc sbt groovy c h cc cpp cxx hpp hh hxx ' +
  'ipp m mm cs csx fs fsx vb swift php pl pm lua r jl dart ex exs erl hrl hs ml mli clj cljs lisp el scm sh bash zsh bats fish ps1 ' +
  'bat cmd sql graphql gql proto tf hcl nix zig nim v sol cmake make mk dockerfile gradle css scss sass less astro';

const READERS = new Map<string, Reader>([
  ...entries('md markdown mdx mdown mkd mdc qmd rmd', readMarkdown),
  ...entries('rst rest', readRst),
  ...entries('adoc asciidoc asc', readAsciidoc),
  ...entries('html htm xhtml', readHtml),
  ...entries('pdf', readPdf),
  ...entries('docx', readDocx),
  ...entries('ipynb', readNotebook),
  ...entries(
    'txt text log json jsonl ndjson json5 jsonc geojson csv tsv yaml yml toml ini cfg conf properties env xml rss atom ' +
      'tex bib srt vtt org wiki diff patch plist po',
    readPlain,
  ),
  ...entries(CODE, readCode),
]);

/** Names that hold no text worth finding: a scan passes them over without opening them. */
const BINARY = new Set(
  (
    'png jpg jpeg gif webp avif bmp ico icns svg svgz tif tiff heic psd xcf sketch mp3 mp4 m4a m4v mov avi mkv webm wav ' +
    'flac ogg opus aac wma wmv flv mpg mpeg swf zip gz tgz bz2 xz z lzma zst lz4 br 7z rar tar jar war ear whl gem nupkg vsix class ' +
    'exe msi dll so dylib o a lib bin dat wasm pyc pyo node db sqlite sqlite3 mdb woff woff2 ttf otf eot doc xls xlsx ppt ' +
    'pptx odt ods odp epub mobi mo iso dmg img deb rpm apk ipa parquet arrow avro bson npy npz pt pth onnx safetensors gguf ' +
    'pkl pickle h5 rds lockb keystore jks der p12 pfx'
  ).split(' '),
);

/** What package managers write for themselves: names and hashes of packages, often more of them than a project has text. */
const LOCK_FILES = new Set(
  (
    'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock deno.lock cargo.lock poetry.lock uv.lock pdm.lock ' +
    'pipfile.lock composer.lock gemfile.lock go.sum mix.lock pubspec.lock packages.lock.json flake.lock gradle.lockfile podfile.lock'
  ).split(' '),
);

/** What tools write for machines to run: one line of it would lead the answers of a whole repository. */
const GENERATED = /\.min\.(?:js|mjs|cjs|css)$|\.bundle\.(?:js|mjs|cjs|css)$|\.map$/i;

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['\x89PNG', 'an image'],
  ['\xff\xd8\xff', 'an image'],
  ['GIF8', 'an image'],
  ['\x1f\x8b', 'a compressed file'],
  ['BZh', 'a compressed file'],
  ['\xfd7zXZ', 'a compressed file'],
  ['(\xb5/\xfd', 'a compressed file'],
  ['7z\xbc\xaf', 'an archive'],
  ['PK\x03\x04', 'an archive'],
  ['\x7fELF', 'a program'],
  ['MZ\x90', 'a program'],
  ['\0asm', 'a program'],
  ['SQLite format 3\0', 'a database'],
  ['\xd0\xcf\x11\xe0', 'an old Office file'],
];

export function isBinaryName(name: string): boolean {
  return BINARY.has(extensionOf(name));
}

export function isLockFile(name: string): boolean {
  return LOCK_FILES.has(name.toLowerCase());
}

export function isGenerated(name: string): boolean {
  return GENERATED.test(name);
}

/** The reader for a file; refuses what is known not to be text. */
export function readerFor(name: string, bytes: Uint8Array): Reader {
  const extension = extensionOf(name);
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (head.startsWith('%PDF-')) return readPdf;
  if (extension === 'pdf') throw new VaiError('UNSUPPORTED_FORMAT', `${shortName(name)} is not a PDF file.`);
  if (extension === 'docx' && head.startsWith('PK\x03\x04')) return readDocx;
  if (extension === 'docx')
    throw new VaiError('UNSUPPORTED_FORMAT', `${shortName(name)} is not a DOCX file.`);
  const signature = SIGNATURES.find(([start]) => head.startsWith(start));
  if (signature) {
    const hint = 'Convert it to text, Markdown, HTML, PDF or DOCX first.';
    throw new VaiError('UNSUPPORTED_FORMAT', `${shortName(name)} is ${signature[1]}.`, { hint });
  }
  if (BINARY.has(extension) && head.includes('\0')) throw binary(name);
  const reader = READERS.get(extension);
  if (/^(?:json|ya?ml)$/.test(extension) && looksLikeOpenApi(bytes)) return readOpenApi;
  if (reader && reader !== readPlain) return reader;
  if (extension === '' || extension === 'txt' || extension === 'text' || !reader) return guess(name, head);
  return reader;
}

/** Documents that are files of their own format, by name or by what they begin with: they can be fetched by address. */
export function formatOf(name: string, bytes: Uint8Array): 'pdf' | 'ipynb' | 'json' | 'yaml' | undefined {
  const extension = extensionOf(name);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = withoutMark(buffer.toString('latin1', 0, 1024));
  if (extension === 'pdf' || head.startsWith('%PDF-')) return 'pdf';
  if (extension === 'ipynb') return 'ipynb';
  if (extension !== '' && !/^(?:json|ya?ml)$/.test(extension)) return undefined;
  const json = head.startsWith('{');
  if (json && buffer.includes('"cells"') && buffer.includes('"nbformat"')) return 'ipynb';
  if (!looksLikeOpenApi(bytes)) return undefined;
  return json ? 'json' : 'yaml';
}

/** Whether JSON or YAML says that it is a description: with its first key, or with a later one where the keys are sorted. */
function looksLikeOpenApi(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = withoutMark(buffer.toString('latin1', 0, 1024));
  if (/^(?:[\s{]|#[^\n]*\n)*(?:"(?:openapi|swagger)"|(?:openapi|swagger))\s*:\s*["']?[23]\./.test(head))
    return true;
  const has = (key: string): boolean =>
    head.startsWith('{')
      ? buffer.includes(`"${key}"`)
      : head.startsWith(`${key}:`) || buffer.includes(`\n${key}:`);
  return has('info') && has('paths') && (has('openapi') || has('swagger'));
}

/** Without the byte order mark and space at the beginning. */
function withoutMark(head: string): string {
  return head.replace(/^\xef\xbb\xbf/, '').trimStart();
}

/** Whether reading the file is work of our own code that is linear in its size. */
export function isOwnFormat(name: string, bytes: Uint8Array): boolean {
  try {
    return !byLibrary.has(readerFor(name, bytes));
  } catch {
    // It is refused before it is read.
    return true;
  }
}

/** Text files that are Markdown by name (`llms-full.txt`, `README`) or begin like it; HTML and scripts without a name. */
function guess(name: string, head: string): Reader {
  const base = shortName(name).toLowerCase();
  if (/^(?:readme|changelog|contributing)(?:\.txt)?$/.test(base)) return readMarkdown;
  if (/\bllms\b|llms[-_.]/.test(base)) return readMarkdown;
  const start = withoutMark(head);
  if (/^<!doctype html|^<html[\s>]/i.test(start)) return readHtml;
  if (/^#!.*\b(?:bash|sh|zsh|node|python\d?|ruby|perl)\b/.test(start)) return readCode;
  if (/^#{1,2} \S/.test(start)) return readMarkdown;
  return readPlain;
}

function extensionOf(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? '' : base.slice(dot + 1).toLowerCase();
}

function entries(extensions: string, reader: Reader): [string, Reader][] {
  return extensions.split(' ').map((extension) => [extension, reader]);
}
