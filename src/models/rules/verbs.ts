// Words that say a relation, and which of the schema's relation types each one means. The schema's own words come
// first (a type MONITORS is said by "monitors" and "is monitored by"); the table below fills in common synonyms.

import { OTHER_TYPE, type GraphSchema } from '../../domain/graph.ts';

export interface Verb {
  type: string;
  /** Words that must follow, with at most a few words between: "reads … from". Empty: the object follows directly. */
  after: readonly string[];
  /** The grammatical object is the source: "is owned by" needs no entry, "belongs to" does. */
  reverse: boolean;
}

interface Meaning {
  /** Relation types this may be, best first. */
  types: readonly string[];
  /** `lemma` or `lemma|after,after`; `<` in front reverses. */
  verbs: readonly string[];
  /** Phrases after a form of "to be". */
  states?: readonly string[];
}

const list = (text: string): string[] => text.split(' ');

const MEANINGS: readonly Meaning[] = [
  {
    types: list('USES CALLS DEPENDS_ON'),
    verbs: list(
      'use utilize utilise leverage employ access connect|to,with talk|to,with communicate|with integrate|with speak authenticate|with,against delegate|to forward|to proxy|to',
    ),
    states: [
      'powered by',
      'backed by',
      'built on',
      'built with',
      'built on top of',
      'connected to',
      'based on',
      'driven by',
    ],
  },
  { types: list('CALLS INVOKES USES DEPENDS_ON'), verbs: list('call invoke query|') },
  {
    types: list('DEPENDS_ON REQUIRES NEEDS USES'),
    verbs: list('depend|on,upon rely|on,upon require need'),
    states: ['dependent on', 'dependent upon'],
  },
  {
    types: list('PRODUCES PUBLISHES EMITS SENDS WRITES'),
    verbs: list('produce publish emit generate raise broadcast publish|to'),
    states: ['a producer of', 'the producer of', 'the source of'],
  },
  { types: list('SENDS PRODUCES PUBLISHES USES'), verbs: list('send push|to send|to') },
  {
    types: list('CONSUMES SUBSCRIBES SUBSCRIBES_TO RECEIVES USES'),
    verbs: list('consume ingest subscribe|to listen|to,for receive consume|from'),
    states: ['a consumer of', 'the consumer of', 'subscribed to', 'a subscriber of'],
  },
  {
    types: list('READS READS_FROM USES'),
    verbs: list('read|from fetch|from load|from pull|from retrieve|from read'),
  },
  {
    types: list('WRITES WRITES_TO STORES STORES_IN USES'),
    verbs: list('write|to,into store|in persist|to,in save|to,in keep|in'),
  },
  {
    types: list('OWNS MAINTAINS MANAGES OPERATES'),
    verbs: list('own maintain operate <belong|to'),
    states: ['responsible for', 'the owner of', 'in charge of', 'accountable for'],
  },
  { types: list('MANAGES OWNS'), verbs: list('manage') },
  {
    types: list('CONTAINS HAS INCLUDES COMPOSED_OF'),
    verbs: list('contain comprise include consist|of'),
    states: ['composed of', 'made up of'],
  },
  { types: list('PART_OF BELONGS_TO'), verbs: ['belong|to'], states: ['part of', 'a part of'] },
  {
    types: list('RUNS_ON DEPLOYED_ON DEPLOYED_TO HOSTED_ON DEPENDS_ON USES'),
    verbs: list('run|on'),
    states: ['deployed on', 'deployed to', 'hosted on', 'hosted in'],
  },
  { types: list('IMPLEMENTS SUPPORTS EXPOSES USES'), verbs: list('implement') },
  { types: list('EXPOSES PROVIDES OFFERS PRODUCES'), verbs: list('expose') },
  { types: list('TRIGGERS CAUSES PRODUCES'), verbs: ['trigger'] },
];

const IRREGULAR: Record<string, [past: string, participle: string]> = {
  read: ['read', 'read'],
  send: ['sent', 'sent'],
  write: ['wrote', 'written'],
  run: ['ran', 'run'],
  keep: ['kept', 'kept'],
  speak: ['spoke', 'spoken'],
  build: ['built', 'built'],
  feed: ['fed', 'fed'],
  hold: ['held', 'held'],
  make: ['made', 'made'],
  have: ['had', 'had'],
  give: ['gave', 'given'],
  take: ['took', 'taken'],
  drive: ['drove', 'driven'],
};

export interface Lexicon {
  /** Finite forms: uses, use, used. Several where a verb can take different words after it. */
  active: ReadonlyMap<string, readonly Verb[]>;
  /** Participles after "to be": used (by), owned (by), stored (in). */
  participle: ReadonlyMap<string, readonly Verb[]>;
  gerund: ReadonlyMap<string, readonly Verb[]>;
  /** Whole phrases after "to be", longest first. */
  states: readonly { words: readonly string[]; type: string }[];
  /** The type said by a label, heading, table header or message: "Depends on", "uses", "Consumed by". */
  label(text: string): { type: string; reverse: boolean } | undefined;
  /** What an unlabelled arrow means here. */
  arrow: string;
}

export function buildLexicon(schema: GraphSchema): Lexicon {
  const types = new Map(schema.relationTypes.map((type) => [normal(type), type]));
  const pick = (names: readonly string[]) =>
    names.map((name) => types.get(name)).find((type) => type !== undefined);
  const active = new Map<string, Verb[]>();
  const participle = new Map<string, Verb[]>();
  const gerund = new Map<string, Verb[]>();
  const states: { words: string[]; type: string }[] = [];
  const learn = (lemma: string, verb: Verb) => {
    const forms = conjugate(lemma);
    // "a service called x" names it.
    for (const form of forms.finite) if (form !== 'called') push(active, form, verb);
    push(participle, forms.participle, verb);
    push(gerund, forms.gerund, verb);
  };
  for (const [upper, type] of types) {
    const [first = '', ...rest] = upper.toLowerCase().split('_');
    if (upper === OTHER_TYPE || first === '') continue;
    if (rest.length > 0 && (first.endsWith('ed') || !first.endsWith('s'))) {
      states.push({ words: [first, ...rest], type });
      continue;
    }
    learn(lemmaOf(first), { type, after: rest.slice(0, 1), reverse: false });
  }
  for (const meaning of MEANINGS) {
    const type = pick(meaning.types);
    if (type === undefined) continue;
    for (const entry of meaning.verbs) {
      const reverse = entry.startsWith('<');
      const [lemma = '', after = ''] = (reverse ? entry.slice(1) : entry).split('|');
      learn(lemma, { type, after: after === '' ? [] : after.split(','), reverse });
    }
    for (const state of meaning.states ?? []) states.push({ words: state.split(' '), type });
  }
  states.sort((a, b) => b.words.length - a.words.length);
  const arrow = pick(list('USES CALLS FLOWS_TO CONNECTS_TO CONNECTED_TO DEPENDS_ON SENDS')) ?? OTHER_TYPE;
  const label = labelReader({ active, participle, states, pick });
  return { active, participle, gerund, states, label, arrow };
}

function normal(type: string): string {
  return type.toUpperCase().replaceAll(/[\s-]+/g, '_');
}

function push(map: Map<string, Verb[]>, form: string, verb: Verb): void {
  const there = map.get(form);
  if (!there) map.set(form, [verb]);
  else if (!there.some((other) => other.after.join() === verb.after.join())) there.push(verb);
}

function lemmaOf(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:sh|ch|ss|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function conjugate(lemma: string): { finite: string[]; participle: string; gerund: string } {
  const irregular = IRREGULAR[lemma];
  const consonantY = /[^aeiou]y$/.test(lemma);
  const third = consonantY
    ? `${lemma.slice(0, -1)}ies`
    : /(?:s|sh|ch|x|z)$/.test(lemma)
      ? `${lemma}es`
      : `${lemma}s`;
  const regular = lemma.endsWith('e') ? `${lemma}d` : consonantY ? `${lemma.slice(0, -1)}ied` : `${lemma}ed`;
  const gerund = lemma.endsWith('e') && !lemma.endsWith('ee') ? `${lemma.slice(0, -1)}ing` : `${lemma}ing`;
  return {
    finite: [...new Set([lemma, third, irregular?.[0] ?? regular])],
    participle: irregular?.[1] ?? regular,
    gerund,
  };
}

interface LabelParts {
  active: Map<string, Verb[]>;
  participle: Map<string, Verb[]>;
  states: { words: string[]; type: string }[];
  pick: (names: readonly string[]) => string | undefined;
}

/** Nouns that name a relation in a heading, key or column: "Dependencies", "Owner", "Consumers". */
const NOUNS: Record<string, { types: readonly string[]; reverse: boolean }> = {
  dependency: { types: list('DEPENDS_ON REQUIRES USES'), reverse: false },
  'upstream dependency': { types: list('DEPENDS_ON REQUIRES USES'), reverse: false },
  owner: { types: list('OWNS MAINTAINS MANAGES'), reverse: true },
  'owning team': { types: list('OWNS MAINTAINS MANAGES'), reverse: true },
  maintainer: { types: list('MAINTAINS OWNS MANAGES'), reverse: true },
  consumer: { types: list('CONSUMES SUBSCRIBES USES'), reverse: true },
  producer: { types: list('PRODUCES PUBLISHES EMITS'), reverse: true },
  subscriber: { types: list('SUBSCRIBES CONSUMES'), reverse: true },
  publisher: { types: list('PUBLISHES PRODUCES'), reverse: true },
  datastore: { types: list('USES STORES DEPENDS_ON'), reverse: false },
  caller: { types: list('CALLS USES'), reverse: true },
  client: { types: list('USES CALLS'), reverse: true },
};

function labelReader(parts: LabelParts): Lexicon['label'] {
  return (text) => {
    const words = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, ' ')
      .split(/[\s_-]+/)
      .filter((word) => word !== '' && word !== 'the' && word !== 'this' && word !== 'which');
    if (words.length === 0 || words.length > 5) return undefined;
    if (['is', 'are', 'was', 'were'].includes(words[0]!)) words.shift();
    const [first = '', second] = words;
    for (const state of parts.states)
      if (state.words.every((word, index) => words[index] === word))
        return { type: state.type, reverse: false };
    if (second === 'by' || (second === 'to' && words[2] === 'by')) {
      const verb = parts.participle.get(first)?.[0];
      if (verb) return { type: verb.type, reverse: true };
    }
    const verbs = parts.active.get(first);
    const verb =
      verbs?.find((one) => one.after.includes(words.at(-1)!) || one.after.includes(second ?? '')) ??
      verbs?.find((one) => one.after.length === 0) ??
      (words.length === 1 ? verbs?.[0] : undefined);
    if (verb && words.length <= 4) return { type: verb.type, reverse: verb.reverse };
    const noun = NOUNS[words.map(lemmaOf).join(' ')] ?? NOUNS[words.map((word) => lemmaOf(word)).at(-1)!];
    const type = noun && words.length <= 2 ? parts.pick(noun.types) : undefined;
    return type === undefined ? undefined : { type, reverse: noun!.reverse };
  };
}
