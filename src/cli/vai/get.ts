// vai get: the exact lines of citations, with as much around them as asked.

import type { Command } from 'commander';
import type { Snippet } from '../../engine/cite/types.ts';
import { parseCitation } from '../../domain/citation.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';
import { integer, usage, type Frame } from '../frame.ts';
import { showPassage } from '../passage.ts';

interface Options extends OutputOptions {
  db?: string;
  context?: string;
}

/** Beyond the end of every text: reading stops where the text does. */
const LAST_LINE = 1_000_000_000;
/** A person gets the lines in full, unlike a model with a limited context window. */
const BUDGET = 50_000_000;

export function registerGet(program: Command, frame: Frame): void {
  const command = program
    .command('get')
    .description('print the exact lines of citations, or a whole document')
    .argument('<citation...>', 'collection/path:start-end, with @hash to pin it; without lines: the document')
    .option(
      '-C, --context <what>',
      'a number of lines around the citation, `section`, or `all` for the whole top-level section',
    )
    .option('--db <name>', 'database');
  withFormat(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai get handbook/auth.md:12-30\n  $ vai get bun:304-324 --context section\n  $ vai get handbook/auth.md --format raw > auth.md',
    )
    .action((citations: string[], options: Options) => get(frame, citations, options));
}

async function get(frame: Frame, citations: string[], options: Options): Promise<void> {
  const engine = await frame.engine();
  const asked = citations.map(withLines);
  const result = await engine.cite.read(frame.call(), {
    citations: asked,
    db: options.db,
    budget: BUDGET,
    ...context(options.context),
  });
  if (result.snippets.length === 0 && result.failed[0]) throw result.failed[0].error;
  // That a whole document ends before the last requested line is not worth a notice.
  const whole = new Set(asked.filter((citation, at) => citation !== citations[at]));
  const notices = result.notices.filter(
    ({ code, citation }) => !(code === 'clamped' && whole.has(citation ?? '')),
  );
  const format = show(frame, options, {
    json: {
      ...result,
      notices,
      failed: result.failed.map(({ citation, error }) => ({
        citation: citations[asked.indexOf(citation)],
        code: error.code,
        message: error.message,
      })),
    },
    items: result.snippets,
    text: () => result.snippets.map((snippet) => describe(frame, snippet)).join('\n\n'),
    raw: () => result.snippets.map((snippet) => snippet.content).join('\n'),
  });
  if (format !== 'json')
    for (const text of [
      ...notices.map((notice) => notice.message),
      ...result.failed.map(({ error }) => error.messageAndHint),
    ])
      frame.note(text);
  if (result.failed.length > 0) frame.fail(3);
}

function context(value: string | undefined): { mode?: 'none' | 'symmetric' | 'all'; padding?: number } {
  if (value === undefined) return { mode: 'none' };
  if (value === 'section') return { mode: 'symmetric' };
  if (value === 'all') return { mode: 'all' };
  if (!/^\d+$/.test(value)) throw usage('--context takes a number of lines, `section` or `all`.');
  return { mode: 'symmetric', padding: integer('--context', 0, 50)(value) };
}

function describe(frame: Frame, snippet: Snippet): string {
  const changed = snippet.status && snippet.status !== 'same' ? [`(${snippet.status})`] : [];
  const { citation: place, headingPath, content: text, range } = snippet;
  const shown = showPassage(frame, { place, headingPath, text, firstLine: range.start, notes: changed });
  return snippet.next ? `${shown}\n${frame.terminal.dim(`   More: vai get ${snippet.next}`)}` : shown;
}

/** A document named without lines means the whole document. A path of this machine names none. */
function withLines(citation: string): string {
  if (citation.startsWith('/')) return citation;
  try {
    parseCitation(citation);
    return citation;
  } catch {
    const [, target, pin = ''] = /^(.*?)(@[0-9a-f]{6,8})?$/is.exec(citation)!;
    return `${target}:1-${LAST_LINE}${pin}`;
  }
}
