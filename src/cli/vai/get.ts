// vai get: the exact lines of citations, with as much around them as asked.

import type { Command } from 'commander';
import type { Snippet } from '../../engine/cite/types.ts';
import { integer, usage, type Frame } from '../frame.ts';
import { clip, printable } from '../terminal.ts';

interface Options {
  db?: string;
  context?: string;
  json?: boolean;
}

export function registerGet(program: Command, frame: Frame): void {
  program
    .command('get')
    .description('show the exact lines of citations')
    .argument('<citation...>', 'collection:start-end or collection/path:start-end, with @hash to pin it')
    .option('-C, --context <what>', 'a number of lines around, `section`, or `all` for the whole top section')
    .option('--db <name>', 'database')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai get handbook/auth.md:12-30\n  $ vai get bun:304-324 --context section',
    )
    .action((citations: string[], options: Options) => get(frame, citations, options));
}

async function get(frame: Frame, citations: string[], options: Options): Promise<void> {
  const engine = await frame.engine();
  const result = await engine.cite.read(frame.call(), {
    citations,
    db: options.db,
    ...context(options.context),
  });
  if (result.snippets.length === 0 && result.failed[0]) throw result.failed[0].error;
  if (frame.wantsJson(options)) {
    frame.printJson({
      ...result,
      failed: result.failed.map(({ citation, error }) => ({
        citation,
        code: error.code,
        message: error.message,
      })),
    });
  } else {
    frame.print(result.snippets.map((snippet) => describe(frame, snippet)).join('\n\n'));
    for (const notice of result.notices) frame.note(notice.message);
    for (const { error } of result.failed)
      frame.note(`${error.message}${error.hint ? ` ${error.hint}` : ''}`);
  }
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
  const { terminal } = frame;
  const head = terminal.cyan(terminal.bold(printable(snippet.citation)));
  const path = snippet.headingPath.length
    ? `\n   ${terminal.dim(printable(snippet.headingPath.join(' › ')))}`
    : '';
  const moved = snippet.status && snippet.status !== 'same' ? terminal.yellow(`  (${snippet.status})`) : '';
  const lines = snippet.content.split('\n').map((line, at) => {
    const number = terminal.dim(String(snippet.range.start + at).padStart(6));
    return `${number} ${clip(printable(line), Math.max(20, terminal.width - 8))}`;
  });
  const more = snippet.next ? [terminal.dim(`   more: vai get ${snippet.next}`)] : [];
  return [`${head}${moved}${path}`, ...lines, ...more].join('\n');
}
