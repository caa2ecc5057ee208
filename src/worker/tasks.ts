// What the worker does, each task a function of its input alone. The main process calls the same functions for what is
// short and read by linear code of our own: there starting a process would take longer than the work.

import type { Analysable, Analysis } from '../domain/analysis.ts';
import type { ReadText } from '../domain/document.ts';
import { VaiError } from '../domain/errors.ts';
import type { GraphSchema } from '../domain/graph.ts';
import type { Symbols } from '../domain/symbols.ts';
import { analyse } from '../engine/text/analyse.ts';
import type { Extraction, ExtractInput, ExtractOptions, Extractor, SurveyInput } from '../ports/extractor.ts';
import type { FileToRead, ReadHtmlPage } from '../ports/worker.ts';
import { isOwnFormat } from '../sources/files/formats.ts';
import type { Sent } from './protocol.ts';

export interface Tasks {
  read(file: FileToRead): Promise<{ read: ReadText; analysis: Analysis }>;
  analyse(text: Analysable): Promise<Analysis>;
  survey(text: SurveyInput): Promise<string>;
  symbols(text: SurveyInput): Promise<Symbols | null>;
  extract(asked: Extracting): Promise<Extraction>;
  page(html: string): Promise<ReadHtmlPage>;
}

interface Extracting {
  input: ExtractInput;
  schema: GraphSchema;
  /** With its bytes the first time, then by its id alone. */
  knowledge?: { id: string; bytes?: Uint8Array };
}

export type TaskName = keyof Tasks;
export type Input<Name extends TaskName> = Parameters<Tasks[Name]>[0];
export type Output<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;

/** Up to this many bytes or characters a text is done with in a few milliseconds, whatever it says. */
const LIGHT = 64_000;

/** Whether the main process may do it: short, and linear code of our own from end to end. */
export function isLight({ name, input }: Sent): boolean {
  if (name === 'analyse') return (input as Input<'analyse'>).read.text.length <= LIGHT;
  if (name !== 'read') return false;
  const file = input as Input<'read'>;
  return file.bytes.length <= LIGHT && isOwnFormat(file.name, file.bytes);
}

export const TASKS: Tasks = {
  async read({ name, bytes, profile }) {
    const { readFile } = await import('../sources/files/read.ts');
    const read = await readFile(name, bytes);
    return { read, analysis: analyse({ read, profile }) };
  },
  analyse: async (text) => analyse(text),
  async survey(text) {
    return Buffer.from(await (await rulesOf()).corpus!.survey(text, {})).toString('utf8');
  },
  async symbols({ path, text }) {
    return (await (await import('../sources/code/symbols.ts')).symbolsOf(path, text)) ?? null;
  },
  async extract({ input, schema, knowledge }) {
    const options = knowledge ? { knowledge: sameKnowledge(knowledge) } : {};
    return (await rulesOf()).extract(input, sameSchema(schema), options);
  },
  async page(html) {
    return (await import('../sources/web/html.ts')).readHtml(html);
  },
};

let rules: Extractor | undefined;

async function rulesOf(): Promise<Extractor> {
  const { createRulesExtractor } = await import('../models/rules/index.ts');
  return (rules ??= createRulesExtractor());
}

type Known = NonNullable<ExtractOptions['knowledge']>;
let corpus: Known | undefined;

/** What came with its bytes last. */
function sameKnowledge({ id, bytes }: NonNullable<Extracting['knowledge']>): Known {
  if (bytes) corpus = { id, bytes };
  if (corpus?.id !== id) throw new VaiError('INTERNAL', 'The knowledge of another corpus is at hand.');
  return corpus;
}

let known: { text: string; schema: GraphSchema } | undefined;

/** The rules prepare each schema once, and know it again by identity. */
function sameSchema(schema: GraphSchema): GraphSchema {
  const text = JSON.stringify(schema);
  if (known?.text !== text) known = { text, schema };
  return known.schema;
}
