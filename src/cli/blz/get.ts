// blz get: the exact lines of citations, as `find` returns them.

import type { Command } from 'commander';
import { formatCitation, parseCitation } from '../../domain/citation.ts';
import { CONTEXT_MODES } from '../../engine/cite/context.ts';
import type { FindSnippet } from '../../engine/docs/types.ts';
import { integer, oneOf, type Frame } from '../frame.ts';
import { showPassage } from '../passage.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';

interface Options extends OutputOptions {
  around?: string | true;
  after?: number;
  before?: number;
  context?: string;
}

const BARE_PADDING = 5;

export function registerGet(program: Command, frame: Frame): void {
  const command = program
    .command('get')
    .description('print the exact lines of citations')
    .argument('<citation...>', 'alias:start-end; separate ranges with commas; @rev pins a version')
    .option('-C, --around [lines]', `lines before and after (without a number: ${BARE_PADDING})`)
    .option('-A, --after <lines>', 'lines after', integer('--after', 0, 1000))
    .option('-B, --before <lines>', 'lines before', integer('--before', 0, 1000))
    .option('--context <mode>', 'none, symmetric (the section) or all (the top-level section)');
  withFormat(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ blz get bun:304-324\n  $ blz get bun:304-324,500 --context symmetric --json',
    )
    .action((citations: string[], options: Options) => get(frame, citations, options));
}

async function get(frame: Frame, citations: string[], options: Options): Promise<void> {
  const engine = await frame.engine();
  const { around, context } = options;
  const result = await engine.docs.find(frame.call(), {
    snippets: widened(citations, options),
    contextMode: context === undefined ? undefined : oneOf(CONTEXT_MODES, context, 'context'),
    linePadding: typeof around === 'string' ? integer('--around', 0, 50)(around) : around && BARE_PADDING,
  });
  show(frame, options, {
    json: result,
    items: result.snippets,
    text: () => result.snippets.map((snippet) => describe(frame, snippet)).join('\n\n'),
    raw: () => result.snippets.map((snippet) => snippet.content).join('\n'),
  });
  for (const notice of result.notices ?? []) frame.note(notice.message);
  if (result.notices?.some((notice) => notice.code === 'source_not_found')) frame.fail(3);
  else if (result.notices?.some((notice) => notice.code === 'bad_citation')) frame.fail(4);
}

/** Uneven context is expressed as a wider citation. */
function widened(citations: string[], { before = 0, after = 0 }: Options): string[] {
  if (before === 0 && after === 0) return citations;
  return citations.map((text) => {
    const citation = parseCitation(text);
    const ranges = citation.ranges.map(({ start, end }) => ({
      start: Math.max(1, start - before),
      end: end + after,
    }));
    return formatCitation({ ...citation, ranges });
  });
}

function describe(frame: Frame, snippet: FindSnippet): string {
  const shown = showPassage(frame, {
    place: `${snippet.alias}:${snippet.lines}@${snippet.rev}`,
    headingPath: snippet.headingPath,
    text: snippet.content,
    firstLine: Number.parseInt(snippet.lines, 10),
  });
  return snippet.next ? `${shown}\n${frame.terminal.dim(`   More: blz get ${snippet.next}`)}` : shown;
}
