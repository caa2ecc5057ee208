// vai copy: collections from the embedded store to MongoDB, back, or between databases of either.

import { plural } from '../../tools/shared/text.ts';
import type { Command } from 'commander';
import { checkDatabaseName, DEFAULT_DATABASE } from '../../domain/collection.ts';
import type { Stores } from '../../ports/store.ts';
import { usage, type Frame } from '../frame.ts';

interface Options {
  as?: string;
  json?: boolean;
}

interface Place {
  store: 'sqlite' | 'mongodb';
  database: string;
  collection: string | undefined;
}

const NAMES: Record<string, Place['store']> = {
  sqlite: 'sqlite',
  embedded: 'sqlite',
  mongodb: 'mongodb',
  atlas: 'mongodb',
};

export function registerCopy(program: Command, frame: Frame): void {
  program
    .command('copy')
    .description('copy collections between the embedded store and MongoDB; resumes after an interruption')
    .argument('<from>', 'store[:database[/collection]], for example sqlite:vai/handbook')
    .argument('<to>', 'store[:database], for example mongodb:team')
    .option('--as <name>', 'name of the copy, if only one collection is copied')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nStores are sqlite (or embedded) and mongodb (or atlas; needs MONGODB_URI).\n\nExamples:\n  $ vai copy sqlite mongodb\n  $ vai copy mongodb:team/handbook sqlite --as team-handbook',
    )
    .action((from: string, to: string, options: Options) => copy(frame, { from, to }, options));
}

async function copy(frame: Frame, places: { from: string; to: string }, options: Options): Promise<void> {
  const settings = await frame.settings();
  const { databaseOfUri } = await import('../../config/index.ts');
  const { defaultDb, origins, mongodbUri } = settings;
  // If none is named, each store has its own default: the one in the connection string, and `vai`.
  const chosen = origins.defaultDb !== 'default' && origins.defaultDb !== 'implied';
  const database: Record<Place['store'], string> = chosen
    ? { sqlite: defaultDb, mongodb: defaultDb }
    : { sqlite: DEFAULT_DATABASE, mongodb: databaseOfUri(mongodbUri) ?? DEFAULT_DATABASE };
  const from = parsePlace(places.from, database);
  const to = parsePlace(places.to, database);
  if (to.collection !== undefined)
    throw usage('The target is a store and a database.', 'Name the copy with --as.');
  if (options.as !== undefined && from.collection === undefined)
    throw usage('--as is for one collection.', 'Name it: store:database/collection.');
  if (
    from.store === to.store &&
    from.database === to.database &&
    (options.as ?? from.collection) === from.collection
  )
    throw usage('Source and target are the same.');
  const { openStores } = await import('../../compose.ts');
  const { copyCollections } = await import('../../engine/copy.ts');
  const now = () => new Date();
  const opened: Stores[] = [];
  try {
    const source = await openStores({ ...settings, store: from.store }, now);
    opened.push(source);
    const target = from.store === to.store ? source : await openStores({ ...settings, store: to.store }, now);
    if (target !== source) opened.push(target);
    const request = {
      from: await source.open(from.database),
      to: await target.open(to.database),
      collections: from.collection === undefined ? undefined : [from.collection],
      rename: options.as,
    };
    const copied = await frame.withBar((call) => copyCollections(call, request));
    if (frame.wantsJson(options))
      return frame.printJson({ from: places.from, to: places.to, collections: copied });
    const lines = copied.map(
      (c) =>
        `${c.target}: ${c.copied} copied, ${c.unchanged} already there; ${plural(c.chunks, 'chunk')}, ${plural(c.vectors, 'vector')}, checksum ${c.checksum.slice(0, 12)} on both sides`,
    );
    frame.print(lines.join('\n') || 'There is nothing to copy.');
  } finally {
    for (const stores of opened) await stores.close();
  }
}

function parsePlace(text: string, database: Record<Place['store'], string>): Place {
  const [, name = '', db, collection] = /^([a-z]+)(?::([^/]+)(?:\/(.+))?)?$/.exec(text) ?? [];
  const store = NAMES[name];
  if (!store)
    throw usage(
      `\`${text.slice(0, 80)}\` is not a store.`,
      'Use sqlite or mongodb, then :database and /collection if needed.',
    );
  return { store, database: checkDatabaseName(db ?? database[store]), collection };
}
