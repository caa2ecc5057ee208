// How much of what real documentation states is in the graph, and whether questions that need a relation are answered.
// The truth is annotated by hand: <group>/docs, entities.json, relations.json, questions.json.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localCall } from '../../src/engine/call.ts';
import type { Engine } from '../../src/engine/engine.ts';

interface Truth {
  entities: { name: string; aliases?: string[] }[];
  relations: { from: string; to: string; type: string; form: string }[];
  questions: { q: string; answers: { file: string; start: number; end: number }[] }[];
}

const MODES = ['hybrid', 'local', 'global', 'naive'] as const;
type Mode = (typeof MODES)[number];

export const TRUTH_SCHEMA = {
  entityTypes: ['SERVICE', 'DATABASE', 'PROTOCOL', 'TEAM', 'EVENT', 'CONCEPT'],
  relationTypes: [
    ...['USES', 'DEPENDS_ON', 'PRODUCES', 'CONSUMES', 'OWNS', 'READS', 'WRITES', 'PART_OF', 'EXTENDS'],
  ],
};

export interface Score {
  entities: { truth: number; found: number; recalled: number };
  relations: { truth: number; recalled: number; typed: number; knownEnds: number; listed: number };
  /** Recalled and all, by where a relation is stated. */
  forms: Record<string, [number, number]>;
  questions: number;
  modes: Record<Mode, { first: number; inThree: number; empty: number }>;
}

export function truthGroups(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'relations.json')))
    .sort();
}

/** Scores the graph of an engine that has indexed the documents of the group. */
export async function scoreGroup(engine: Engine, folder: string, minConfidence: number): Promise<Score> {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const truth = {
    entities: read('entities.json'),
    relations: read('relations.json'),
    questions: read('questions.json'),
  } as Truth;
  const call = localCall();
  const { entities } = await engine.graph.entities(call, { limit: 1000 });
  const canonical = resolver(truth.entities);
  const names = new Map(entities.map((one) => [plain(one.name), [one.name, ...one.aliases]]));
  const known = (name: string) => canonical(names.get(plain(name)) ?? [name]);
  const wanted = new Map<string, { types: Set<string>; form: string }>();
  for (const { from, to, type, form } of truth.relations) {
    const key = `${from} → ${to}`;
    const there = wanted.get(key) ?? { types: new Set(), form };
    if (there.form === 'prose') there.form = form;
    there.types.add(type);
    wanted.set(key, there);
  }
  const got = new Map<string, Set<string>>();
  const relations = { truth: wanted.size, recalled: 0, typed: 0, knownEnds: 0, listed: 0 };
  for (const { name } of entities) {
    const found = await engine.graph.relations(call, { entity: name, direction: 'out', minConfidence });
    for (const one of found.relations) {
      const [from, to] = [known(one.source), known(one.target)];
      if (plain(one.source) !== plain(name) || from === undefined || to === undefined) continue;
      const key = `${from} → ${to}`;
      relations.knownEnds += 1;
      if (wanted.has(key)) relations.listed += 1;
      got.set(key, (got.get(key) ?? new Set()).add(one.type));
    }
  }
  const forms: Score['forms'] = {};
  for (const [key, { types, form }] of wanted) {
    const count = (forms[form] ??= [0, 0]);
    count[1] += 1;
    const found = got.get(key);
    if (!found) continue;
    count[0] += 1;
    relations.recalled += 1;
    if ([...types].some((type) => found.has(type))) relations.typed += 1;
  }
  const recalled = new Set(entities.map((one) => known(one.name)).filter((one) => one !== undefined));
  return {
    entities: { truth: truth.entities.length, found: entities.length, recalled: recalled.size },
    relations,
    forms,
    questions: truth.questions.length,
    modes: await askAll(engine, truth.questions),
  };
}

async function askAll(engine: Engine, questions: Truth['questions']): Promise<Score['modes']> {
  const modes = {} as Score['modes'];
  for (const mode of MODES) {
    const count = (modes[mode] = { first: 0, inThree: 0, empty: 0 });
    for (const { q, answers } of questions) {
      const { results } = await engine.graph.search(localCall(), { query: q, mode, limit: 5 });
      const at = results.findIndex((hit) =>
        answers.some(
          ({ file, start, end }) =>
            hit.path.endsWith(file) && hit.startLine <= end + 2 && hit.endLine >= start - 2,
        ),
      );
      if (results.length === 0) count.empty += 1;
      if (at === 0) count.first += 1;
      if (at >= 0 && at < 3) count.inThree += 1;
    }
  }
  return modes;
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '')
    .replace(/s$/, '');

const bare = (name: string): string =>
  plain(
    name.replaceAll(/\b(?:the|service|component|server|app|application|api|pod|process|database)\b/gi, ' '),
  );

/** The annotated name that any of some spellings means. */
function resolver(entities: Truth['entities']): (spellings: readonly string[]) => string | undefined {
  const exact = new Map<string, string>();
  const loose = new Map<string, string>();
  for (const { name, aliases = [] } of entities)
    for (const one of [name, ...aliases]) {
      exact.set(plain(one), name);
      if (bare(one) !== '' && !loose.has(bare(one))) loose.set(bare(one), name);
    }
  return (spellings) => {
    for (const one of spellings) if (exact.has(plain(one))) return exact.get(plain(one));
    for (const one of spellings) if (loose.has(bare(one))) return loose.get(bare(one));
    return undefined;
  };
}
