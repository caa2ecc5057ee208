// discover-docs: from a project's technologies to the documentation it needs, in one message.

import { VaiError } from '../../domain/errors.ts';
import type { InstalledSource, RegistrySource } from '../../engine/docs/types.ts';
import type { Prompt, ToolContext } from '../tool.ts';
import { plural } from '../shared/text.ts';

const MAX_TERMS = 30;

interface Found {
  installed: InstalledSource[];
  available: RegistrySource[];
  unknown: string[];
}

export const discoverDocs: Prompt = {
  name: 'discover-docs',
  title: 'Discover docs',
  description: 'Find and add the documentation of a project.',
  arguments: [
    { name: 'technologies', description: 'Comma-separated, e.g. bun,react,tailwind', required: true },
  ],
  async complete(_argument, value, { engine, call }) {
    const parts = value.split(',');
    const typed = parts.at(-1)!.trim().toLowerCase();
    const before = parts
      .slice(0, -1)
      .map((part) => `${part.trim()},`)
      .join('');
    const { sources } = await engine.docs.list(call);
    const names = sources
      .map((source) => source.alias)
      .filter((alias) => alias.toLowerCase().startsWith(typed));
    return names.map((name) => before + name);
  },
  async get(values, context) {
    const terms = [
      ...new Set(
        (values.technologies ?? '')
          .split(',')
          .map((term) => term.trim().slice(0, 100))
          .filter(Boolean),
      ),
    ].slice(0, MAX_TERMS);
    if (terms.length === 0) {
      throw new VaiError('INVALID_INPUT', '`technologies` is empty.', {
        hint: 'Give a comma-separated list, for example bun,react.',
      });
    }
    const found = await discover(context, terms);
    return {
      description: `Documentation for ${terms.join(', ')}`,
      messages: [{ role: 'user', text: message(terms, found) }],
    };
  },
};

/** Exact names before near ones; each term gives at most three candidates. */
async function discover({ engine, call }: ToolContext, terms: readonly string[]): Promise<Found> {
  const { sources } = await engine.docs.list(call);
  const installed = sources.filter((source) => source.kind === 'installed');
  const available = sources.filter((source) => source.kind === 'registry');
  const found: Found = { installed: [], available: [], unknown: [] };
  for (const term of terms) {
    const mine = matches(installed, term);
    const matched = (await engine.docs.lookup(call, { query: term, limit: 4 })).filter(
      ({ score }) => score >= 50,
    );
    const exact = matched.filter(({ score }) => score === 100);
    const ids = (exact.length ? exact : matched).slice(0, 3).map(({ entry }) => entry.id);
    const more = available.filter((source) => ids.includes(source.alias));
    if (mine.length === 0 && more.length === 0) found.unknown.push(term);
    for (const source of mine) if (!found.installed.includes(source)) found.installed.push(source);
    if (mine.length === 0)
      for (const source of more) if (!found.available.includes(source)) found.available.push(source);
  }
  return found;
}

function matches(installed: readonly InstalledSource[], term: string): InstalledSource[] {
  const wanted = term.toLowerCase();
  const exact = installed.filter(
    (source) => source.alias.toLowerCase() === wanted || source.title.toLowerCase() === wanted,
  );
  if (exact.length) return exact;
  return installed.filter(
    (source) => source.alias.toLowerCase().includes(wanted) || source.title.toLowerCase().includes(wanted),
  );
}

function message(terms: readonly string[], { installed, available, unknown }: Found): string {
  const parts = [`I work with ${terms.join(', ')}. Help me find and use its documentation.`];
  parts.push(
    installed.length
      ? ['Installed and ready to search:', ...installed.map(installedLine)].join('\n')
      : 'None of it is installed yet.',
  );
  if (available.length)
    parts.push(
      [
        'In the registry; add what is needed:',
        ...available.map(
          (source) =>
            `- ${source.title} (${source.description}): source-add ${JSON.stringify({ alias: source.alias })}`,
        ),
      ].join('\n'),
    );
  if (unknown.length)
    parts.push(
      `No match for ${unknown.join(', ')}; if you know the address of its llms.txt, call source-add with alias and url.`,
    );
  const source = installed[0]?.alias ?? available[0]?.alias;
  const sample = { query: 'getting started', ...(source ? { source } : {}), maxResults: 5 };
  parts.push(
    `Then search, for example find ${JSON.stringify(sample)}, and read a hit by its alias and lines with ` +
      `find ${JSON.stringify({ snippets: ['<alias of the hit>:<lines of the hit>'], contextMode: 'symmetric' })}.`,
  );
  return parts.join('\n\n');
}

/** Without its title, which the source chose: this message is the user's. */
function installedLine(source: InstalledSource): string {
  const lines = plural(source.metadata.totalLines, 'line');
  return `- ${source.alias} (${lines}${source.stale ? ', not checked for 30 days' : ''})`;
}
