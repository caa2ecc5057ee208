// Everything that reads text from outside, as functions from a text to nothing: readers, scanners, parsers, chunkers,
// filters, queries, guards. A new one belongs into this list.

import { parseEnv } from '../../src/config/env-file.ts';
import { collectionOf } from '../../src/config/flowrag.ts';
import { lineOfError, lineOfKey } from '../../src/config/json-file.ts';
import { maskValue } from '../../src/config/secrets.ts';
import { parseCitation } from '../../src/domain/citation.ts';
import { CHUNK_STRATEGIES } from '../../src/domain/chunk.ts';
import { matches, parseFilter } from '../../src/domain/filter.ts';
import { entityKey } from '../../src/domain/graph.ts';
import { DEFAULT_SCHEMA } from '../../src/domain/graph-settings.ts';
import { nearest } from '../../src/domain/nearest.ts';
import { stem } from '../../src/domain/stem.ts';
import { STOPWORDS } from '../../src/domain/stopwords.ts';
import { foldAccents, collapseSpace } from '../../src/domain/text.ts';
import { splitIdentifier, wordVariants } from '../../src/domain/variants.ts';
import { cutToFit } from '../../src/engine/cite/budget.ts';
import { resolveLines } from '../../src/engine/cite/resolve-lines.ts';
import { diffTexts } from '../../src/engine/docs/diff.ts';
import { pagesOf as pageMap } from '../../src/engine/docs/pages.ts';
import { plainerForm } from '../../src/engine/docs/word-forms.ts';
import { graphKey } from '../../src/domain/name-key.ts';
import { mentionKeys } from '../../src/engine/graph/mentions/mentions.ts';
import { analyse } from '../../src/engine/text/analyse.ts';
import { commentsIn } from '../../src/engine/text/code/gist.ts';
import { headingTree } from '../../src/engine/text/headings.ts';
import { displayHeading } from '../../src/engine/text/markdown/display.ts';
import { extraWords } from '../../src/engine/text/words.ts';
import { highlight } from '../../src/engine/search/highlight.ts';
import { parseQuery } from '../../src/engine/search/parse-query.ts';
import { rankCode } from '../../src/engine/search/rank-code.ts';
import type { Candidate } from '../../src/engine/search/rerank.ts';
import { termsOf } from '../../src/engine/search/terms.ts';
import { sketch } from '../../src/engine/search/duplicates.ts';
import { createBuiltinEmbedder } from '../../src/models/builtin/embedder.ts';
import { rerankBuiltin } from '../../src/models/builtin/reranker.ts';
import { createRulesExtractor } from '../../src/models/rules/index.ts';
import { grammarOf } from '../../src/sources/code/languages.ts';
import { patternSymbols } from '../../src/sources/code/patterns.ts';
import { readerFor } from '../../src/sources/files/formats.ts';
import { parseFrontMatter } from '../../src/sources/files/front-matter.ts';
import { readGitignore } from '../../src/sources/files/gitignore.ts';
import { globMatcher } from '../../src/sources/files/glob.ts';
import { looksLikeHtml, textOf } from '../../src/sources/web/content.ts';
import { htmlToMarkdown, readHtml } from '../../src/sources/web/html.ts';
import { readRobots } from '../../src/sources/web/robots.ts';
import { isLinkIndex, pagesOf, pageText } from '../../src/sources/web/linkindex.ts';
import { checkHost, hostGuard } from '../../src/server/http/guards/host.ts';
import { checkOrigin, originGuard } from '../../src/server/http/guards/origin.ts';
import { clientAddress, proxyTrust } from '../../src/server/http/guards/client-address.ts';
import { completedAccept } from '../../src/server/http/guards/media-type.ts';
import { parseBody } from '../../src/server/http/guards/body.ts';
import { compileUri } from '../../src/server/protocol/uri-template.ts';
import { planQuery } from '../../src/domain/words/plan.ts';
import { termsIn } from '../../src/domain/words/tokens.ts';
import { createFence } from '../../src/tools/shared/fence.ts';
import { oneLine, table } from '../../src/tools/shared/text.ts';
import { visible } from '../../src/tools/shared/visible.ts';

export interface Target {
  name: string;
  run: (text: string) => unknown;
  /** Where the caller cuts or refuses longer texts, in characters. */
  limit?: number;
  /** Why it is not measured yet. */
  pending?: string;
}

const MAX_HEADER = 16_384;
const words = (text: string) => parseQuery(text);
const terms = termsOf(parseQuery('a A aa name title:a "x y" pre* 中文 größe'), STOPWORDS);
const embedder = createBuiltinEmbedder(256);
const rules = createRulesExtractor();
const fence = createFence('0');
const hosts = hostGuard('127.0.0.1', []);
const origins = originGuard(hosts.names, []);
const template = compileUri('vai://documents/{collection}/{+path}');

const reader = (name: string): Target => ({
  name: `the reader of ${name}`,
  run: (text) => {
    const bytes = Buffer.from(text);
    return readerFor(name, bytes)(name, bytes);
  },
});

const codeCandidates = (text: string): Candidate[] =>
  [text, `x/${text}`].map((path) => {
    const chunk = { id: path, collection: 'c', path, defines: [text.slice(0, 200)] };
    return { chunk, score: 1 } as unknown as Candidate;
  });

const chunker = (strategy: (typeof CHUNK_STRATEGIES)[number] | 'blocks', size: number): Target => ({
  name: `${strategy} chunks of ${size}`,
  run: (text) =>
    analyse({
      read: { text, syntax: 'markdown' },
      profile: { strategy, size, overlap: strategy === 'blocks' ? 0 : Math.floor(size / 4) },
    }),
});

// Parsers of source code are no code of ours: what they may take is bounded by the clock, and by the worker's limits.
export const FILES = ['md', 'html', 'rst', 'adoc', 'txt', 'sql', 'proto', 'ipynb'].map((type) => `a.${type}`);

export const TARGETS: Target[] = [
  ...FILES.map(reader),
  { name: 'the script of a page', run: (text) => grammarOf('a.vue', text) },
  { name: 'chunks of source code', run: (text) => analyse({ read: { text, syntax: 'code', symbols: patternSymbols('a.sql', text) }, profile: { strategy: 'blocks', size: 1500, overlap: 0 } }) },
  { name: 'what comments say', run: commentsIn },
  { name: 'front matter', run: (text) => parseFrontMatter(`---\n${text}\n---\n`, []), limit: 64_000 },
  { name: 'TOML front matter', run: (text) => parseFrontMatter(`+++\n${text}\n+++\n`, []), limit: 64_000 },
  { name: 'whether a body is a page', run: (text) => looksLikeHtml('text/plain', Buffer.from(text)) },
  { name: 'the text of a body', run: (text) => textOf('https://x.example/', 'text/plain', Buffer.from(text)) },
  { name: 'a page as Markdown', run: htmlToMarkdown },
  { name: 'a page as Markdown, in its main part', run: (text) => htmlToMarkdown(`<main>${text}`) },
  { name: 'a large page with its links', run: readHtml },
  { name: 'robots.txt', run: (text) => readRobots(text, 'vai') },
  { name: 'robots.txt for many programs', run: (text) => readRobots(`${'user-agent: *\nuser-agent: a\n'.repeat(text.length / 64)}${'disallow: /a\n'.repeat(text.length / 64)}`, 'vai') },
  { name: 'stars in robots.txt', run: (text) => readRobots(`user-agent: *\ndisallow: /${'*a'.repeat(90)}$`, 'vai').allows(new URL(`https://x.example/${encodeURI(text.toWellFormed())}`)) },
  { name: 'whether a text is a link index', run: isLinkIndex },
  { name: 'the pages of a link index', run: (text) => pagesOf(text, 'https://x.example/llms.txt') },
  { name: 'joined pages', run: (text) => pageText({ title: 'x', url: 'https://x.example/a', text }) },
  { name: 'joined pages with front matter', run: (text) => pageText({ title: '', url: 'https://x.example/a', text: `---\n${text}\n---\n` }) },
  ...CHUNK_STRATEGIES.flatMap((strategy) => [chunker(strategy, 512), chunker(strategy, 8_000)]),
  chunker('blocks', 1500),
  { name: 'a heading as shown', run: displayHeading, limit: 2_000 },
  { name: 'extra words of a chunk', run: extraWords },
  { name: 'the page map', run: (text) => pageMap(text, headingTree(text, 'markdown')) },
  { name: 'sections compared', run: (text) => diffTexts(text, `x\n${text}`) },
  { name: 'a pinned citation', run: (text) => resolveLines(text, `x\n${text}`, { start: 1, end: 3 }) },
  { name: 'a pinned citation of other lines', run: (text) => resolveLines(`${text}\nb`, text.replaceAll('a', 'e'), { start: 1, end: 3 }) },
  { name: 'what fits into an answer', run: (text) => cutToFit(text, 4_000) },
  { name: 'mentions of a chunk', run: (text) => mentionKeys(text, [text.slice(0, 500)]) },
  { name: 'the key of a name', run: (text) => [graphKey(text), entityKey(text)] },
  { name: 'the rules of the graph', run: (text) => rules.extract({ text, headingPath: [], startLine: 1, path: 'a.md' }, DEFAULT_SCHEMA, {}) },
  { name: 'the rules of the graph, on YAML', run: (text) => rules.extract({ text, headingPath: [], startLine: 1, path: 'a.yaml' }, DEFAULT_SCHEMA, {}) },
  { name: 'a file pattern', run: (text) => globMatcher(text.slice(0, 500))(`${text}/${text}`), limit: 4_096 },
  { name: 'stars in a file pattern', run: (text) => globMatcher('*a'.repeat(200))(text), limit: 4_096 },
  { name: 'a .gitignore', run: (text) => readGitignore(text).ignores(text.slice(0, 255), false), limit: 262_144 },
  { name: 'the order of source code', run: (text) => rankCode(codeCandidates(text), text.slice(0, 5_000)), limit: 65_536 },
  { name: 'a query', run: (text) => planQuery(words(text)) },
  { name: 'the words of the index', run: termsIn },
  { name: 'plainer words', run: plainerForm },
  { name: 'the lines that match', run: (text) => highlight(text, 1, terms), limit: 100_000 },
  { name: 'an excerpt that matches', run: (text) => highlight(text, 1, terms, 200), limit: 100_000 },
  { name: 'a sketch for duplicates', run: sketch },
  { name: 'variants of a word', run: (text) => [wordVariants(text), splitIdentifier(text), stem(text)] },
  { name: 'folded text', run: (text) => [foldAccents(text), collapseSpace(text)] },
  { name: 'the built-in embedder', run: (text) => embedder.embed([text], { role: 'document' }) },
  { name: 'the built-in reranker', run: (text) => rerankBuiltin('a name AAa größe', [{ text, title: text.slice(0, 500), headingPath: [] }]) },
  { name: 'the built-in reranker, asked', run: (text) => rerankBuiltin(text, [{ text: 'a name AAa größe', title: '', headingPath: [] }]), limit: 5_000 },
  { name: 'a citation', run: parseCitation, limit: 2_048 },
  { name: 'near names', run: (text) => nearest(text, ['vai_query', 'vai_search']) },
  { name: 'a filter', run: (text) => matches(parseFilter({ [text.slice(0, 256)]: text })!, { metadata: { a: text } }), limit: 8_192 },
  { name: 'a filter over metadata', run: (text) => matches({ op: 'eq', path: 'metadata.a', value: 'x' }, { metadata: { a: [...text] } }), limit: 16_384 },
  { name: 'an .env file', run: parseEnv, limit: 100_000 },
  { name: 'a broken config file', run: (text) => [lineOfError(text), lineOfKey(text, 'a')] },
  { name: 'a folder as a collection', run: collectionOf, limit: 4_096 },
  { name: 'masked values', run: (text) => maskValue('a', text) },
  { name: 'fenced text', run: (text) => fence.wrap(text) },
  { name: 'a table', run: (text) => table(['a'], [[text]]) },
  { name: 'one line', run: (text) => oneLine(text) },
  { name: 'written out', run: (text) => visible(text) },
  { name: 'a JSON body', run: parseBody },
  { name: 'a JSON string', run: (text) => parseBody(`["${text.replaceAll('"', '\\"')}"]`) },
  { name: 'the Host header', run: (text) => checkHost(hosts, text, '127.0.0.1'), limit: MAX_HEADER },
  { name: 'the Origin header', run: (text) => checkOrigin(origins, text), limit: MAX_HEADER },
  { name: 'the forwarded header', run: (text) => clientAddress(proxyTrust(['loopback']), '127.0.0.1', text), limit: MAX_HEADER },
  { name: 'the Accept header', run: completedAccept, limit: MAX_HEADER },
  { name: 'a resource address', run: (text) => template.match(`vai://documents/${text}`), limit: 2_048 },
]; // prettier-ignore
