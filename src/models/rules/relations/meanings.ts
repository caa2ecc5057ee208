// What a verb says between two names: which kind of relation, and which of the two it starts from. Verbs are grouped by
// meaning; one that stands in no group keeps its own word and is of the kind OTHER.

import { OTHER_TYPE, type GraphSchema } from '../../../domain/graph.ts';
import { isPart } from './listed.ts';

export type Kind =
  | 'USES'
  | 'CALLS'
  | 'SENDS'
  | 'DEPENDS_ON'
  | 'PRODUCES'
  | 'CONSUMES'
  | 'READS'
  | 'WRITES'
  | 'OWNS'
  | 'MANAGES'
  | 'PART_OF'
  | 'EXTENDS'
  | 'IS'
  | 'RUNS_ON'
  | 'EXPOSES'
  | 'TRIGGERS'
  | 'MONITORS'
  | 'OTHER';

export interface Meaning {
  kind: Kind;
  /** The grammatical object is where the relation starts. */
  reverse: boolean;
  /** How clearly the words state it: 2 clearly, 1 perhaps, 0 unknown. */
  clear: 0 | 1 | 2;
}

/** Names a schema may give to each kind, best first. */
const TYPES: Record<Kind, readonly string[]> = {
  USES: ['USES', 'CALLS', 'DEPENDS_ON'],
  CALLS: ['CALLS', 'INVOKES', 'USES', 'DEPENDS_ON'],
  SENDS: ['SENDS', 'SENDS_TO', 'USES', 'PRODUCES', 'PUBLISHES'],
  DEPENDS_ON: ['DEPENDS_ON', 'REQUIRES', 'NEEDS', 'USES'],
  PRODUCES: ['PRODUCES', 'PUBLISHES', 'EMITS', 'CREATES', 'SENDS', 'WRITES'],
  CONSUMES: ['CONSUMES', 'SUBSCRIBES', 'SUBSCRIBES_TO', 'RECEIVES', 'READS', 'USES'],
  READS: ['READS', 'READS_FROM', 'USES'],
  WRITES: ['WRITES', 'WRITES_TO', 'STORES', 'STORES_IN', 'USES'],
  OWNS: ['OWNS', 'MAINTAINS', 'MANAGES', 'OPERATES'],
  MANAGES: ['MANAGES', 'OWNS'],
  PART_OF: ['PART_OF', 'BELONGS_TO', 'COMPONENT_OF'],
  EXTENDS: ['EXTENDS', 'IMPLEMENTS', 'INHERITS', 'BASED_ON', 'DEPENDS_ON'],
  IS: ['IS_A', 'EXTENDS', 'IMPLEMENTS', 'INHERITS'],
  RUNS_ON: ['RUNS_ON', 'DEPLOYED_ON', 'DEPLOYED_TO', 'HOSTED_ON'],
  EXPOSES: ['EXPOSES', 'PROVIDES', 'OFFERS'],
  TRIGGERS: ['TRIGGERS', 'CAUSES'],
  MONITORS: ['MONITORS', 'OBSERVES', 'WATCHES'],
  OTHER: [],
};

type Entry = { kind: Kind; reverse: boolean };

/**
 * `lemma`, or `lemma+preposition`; `<` in front turns it round. With a preposition the name behind it is meant, without
 * one the name that follows the verb.
 */
const GROUPS: readonly [Kind, string][] = [
  [
    'USES',
    'use back+by power+by drive+by utilize utilise leverage employ access consult contact integrate+with work+with interact+with communicate+with talk+to talk+with speak+to connect+to connect+with couple+to authenticate+with authenticate+against delegate+to defer+to register+with register+in register+into register+to subscribe+with join+to back+on attach+to bind+to mount+to proxy+to redirect+to point+at point+to sync+with synchronize+with peer+with negotiate+with coordinate+with coordinate+through communicate+through communicate+via connect+through connect+via access+through access+via access+with expose+through expose+via reach+through reach+via go+through pass+through route+through configure+with run+via heartbeat+to build+with power+with implement+with implement+using instrument+with orchestrate+with schedule+through speak utilise+for opt+for rely+for query support+with cache+with',
  ],
  ['CALLS', 'call invoke'],
  [
    'SENDS',
    'send+to forward+to push+to route+to dispatch+to submit+to report+to pass+to deliver+to transmit+to return+to relay+to emit+to publish+to upload+with hand+to notify notify+of ping stream+to post+to propagate+to replicate+to export+to direct+to distribute+to distribute+across issue+to offload+to hand+over migrate+to send+through send+via send+over push+via fan+to tell inform ask instruct alert+to advertise+to',
  ],
  [
    'DEPENDS_ON',
    'depend+on depend+upon rely+on rely+upon require need hinge+on wait+for await <be+required+by <be+required+for <require+by <need+by <require+for <need+for',
  ],
  ['PRODUCES', 'produce publish emit generate create broadcast spawn instantiate issue'],
  [
    'CONSUMES',
    'consume subscribe+to listen+to listen+for listen+on consume+from ingest ingest+from react+to respond+to subscribe',
  ],
  [
    'READS',
    'read read+from fetch fetch+from load load+from pull pull+from retrieve retrieve+from get+from download download+from scan parse parse+from scrape scrape+from look+in look+up look+at discover+from discover+through discover+via discover+using iterate+over poll watch tail restore+from recover+from replay replay+from import import+from list collect+from gather+from obtain+from take+from extract+from inspect sync+from mirror+from',
  ],
  [
    'WRITES',
    'write write+to write+into write+in store+in store+on store+to save+to save+in save+into persist+to persist+in persist+into persist+on flush+to flush+into upload+to append+to serialize+into serialize+to record+in record+to put+into put+in insert+into commit+to keep+in cache+in save store+into archive+to archive+in update modify index+into dump+to log+to offload+into populate',
  ],
  ['OWNS', 'own maintain <belong+to+team'],
  ['MANAGES', 'manage operate administer govern control supervise oversee coordinate orchestrate'],
  [
    'PART_OF',
    '<contain <include <consist+of <comprise <compose+of <have <embed <bundle <feature <encompass <house <divide+into <split+into <break+into <make+of <ship+with <come+with <carry live+in reside+in belong+to sit+in be+in embed+in embed+into contain+in include+in bundle+with bundle+into be+inside run+inside run+within live+inside integrate+into build+into nest+in group+in group+into combine+into join colocate+with',
  ],
  [
    'EXTENDS',
    'extend inherit inherit+from subclass derive+from base+on build+on build+upon build+around build+from fork+from wrap specialize implement conform+to comply+with base+upon model+on model+after',
  ],
  [
    'RUNS_ON',
    'run+on run+in deploy+on deploy+in deploy+to deploy+as host+on host+in execute+on execute+in install+on install+in install+into operate+on run+as run+under start+in launch+in schedule+on schedule+onto',
  ],
  ['EXPOSES', 'expose provide offer serve present'],
  [
    'TRIGGERS',
    'trigger start launch initiate schedule execute run restart stop terminate scale deploy kick wake activate',
  ],
  ['MONITORS', 'monitor observe track detect watch+for measure probe check+on'],
  [
    'OTHER',
    'validate verify authenticate authorize handle process support enable allow accept intercept inject configure transform convert translate aggregate merge compact deduplicate split partition shard balance enrich filter encrypt decrypt sign render display show compile assign allocate bind resolve select choose decide prevent protect secure isolate enforce apply define describe specify represent replace route cache queue batch buffer forward send push deliver dispatch submit upload flush store persist write+for add remove delete evict rename connect attach mount map link associate reference serialize normalize expand simplify help assist supports bridge front sit+between power back drive evaluate inspect+for fail+over elect bootstrap upgrade install register',
  ],
];

/** "receives samples from X", "handles requests from X": X sends them. */
const FROM: ReadonlySet<string> = new Set(
  'receive accept handle process serve answer validate authenticate authorize deduplicate aggregate intercept respond balance throttle reject queue'.split(
    ' ',
  ),
);

/** Nouns that carry the meaning where the verb is light: "has access to", "is part of", "makes use of". */
const NOUNS: Record<string, Entry> = Object.fromEntries(
  (
    [
      ['USES', 'access use connection interface gateway proxy client link'],
      ['DEPENDS_ON', 'dependency requirement prerequisite'],
      ['<DEPENDS_ON', 'dependent'],
      ['MANAGES', 'responsible charge control'],
      [
        'PART_OF',
        'part component member element piece feature module subsystem portion child plugin addon service',
      ],
      [
        'EXTENDS',
        'subclass type kind implementation extension version variant fork wrapper specialization instance form abstraction subtype example based',
      ],
      ['PRODUCES', 'producer source publisher'],
      ['CONSUMES', 'consumer subscriber'],
      ['OWNS', 'owner maintainer'],
    ] as const
  ).flatMap(([kind, nouns]) =>
    nouns
      .split(' ')
      .map((noun) => [noun, { kind: kind.replace('<', '') as Kind, reverse: kind.startsWith('<') }]),
  ),
);

const TABLE = new Map<string, Entry>();
for (const [kind, verbs] of GROUPS)
  for (const entry of verbs.split(' ')) {
    const reverse = entry.startsWith('<');
    const key = reverse ? entry.slice(1) : entry;
    if (!TABLE.has(key)) TABLE.set(key, { kind, reverse });
  }

/** Whether the verb with its preposition is in the table. */
export function hasMeaning(key: string): boolean {
  return TABLE.has(key);
}

/** Whether it says a relation of a kind that has a name. */
export function isRelation(key: string): boolean {
  const entry = TABLE.get(key);
  return entry !== undefined && entry.kind !== 'OTHER' && entry.kind !== 'EXPOSES';
}

export interface Said {
  lemma: string;
  preposition: string | undefined;
  noun: string | undefined;
  passive: boolean;
  /** Whether the object is a protocol or format: "over gRPC" says how. */
  means: boolean;
}

/** Verbs that say nothing without their noun. */
const LIGHT = new Set('have make take provide give get gain'.split(' '));
/** Prepositions before what something is done with. */
const MEANS = new Set('with via through using'.split(' '));

/** The kind of relation that words say; undefined where they say none between these two. */
export function meaningOf({ lemma, preposition, noun, passive, means }: Said): Meaning | undefined {
  const entry = (key: string) => TABLE.get(key);
  if (means && preposition !== undefined && /^(?:over|via|through|using|with|by|in)$/.test(preposition))
    return { kind: 'USES', reverse: false, clear: 2 };
  if (lemma === 'be') return beMeaning(noun, preposition);
  if (LIGHT.has(lemma)) {
    const said = noun === undefined ? undefined : NOUNS[noun];
    if (said && preposition !== undefined) return { ...said, clear: 2 };
  }
  if (passive) return passiveMeaning(lemma, preposition, entry);
  if (preposition === 'from' && FROM.has(lemma)) return { kind: 'SENDS', reverse: true, clear: 2 };
  if (preposition !== undefined) {
    const own = entry(`${lemma}+${preposition}`);
    if (own) return { ...own, clear: 2 };
    // A preposition that only says where, when or what for.
    const plain = entry(lemma);
    if (preposition === 'of' && plain)
      return { kind: plain.kind === 'PART_OF' ? 'OTHER' : plain.kind, reverse: false, clear: 1 };
    if (MEANS.has(preposition)) return { kind: 'USES', reverse: false, clear: 1 };
    if (preposition === 'from') return { kind: 'READS', reverse: false, clear: 1 };
    if (preposition === 'to' || preposition === 'into' || preposition === 'onto')
      return { kind: plain && plain.kind !== 'OTHER' ? plain.kind : 'USES', reverse: false, clear: 1 };
    return { kind: 'OTHER', reverse: false, clear: 0 };
  }
  const plain = entry(lemma);
  if (lemma === 'have') return { kind: 'PART_OF', reverse: true, clear: 1 };
  return plain
    ? { ...plain, clear: plain.kind === 'OTHER' ? 1 : 2 }
    : { kind: 'OTHER', reverse: false, clear: 0 };
}

function beMeaning(noun: string | undefined, preposition: string | undefined): Meaning | undefined {
  if (preposition === undefined) {
    // "is a Y", "is a component of Y" and "is a Y component", "is a Y application"
    if (noun === undefined) return { kind: 'IS', reverse: false, clear: 0 };
    const own = NOUNS[noun] ?? { kind: isPart(noun) ? 'PART_OF' : 'USES', reverse: false };
    return { ...own, clear: 0 };
  }
  const said = noun === undefined ? undefined : NOUNS[noun];
  if (said && /^(?:of|to|for|in|on|upon)$/.test(preposition)) return { ...said, clear: 2 };
  if (noun === undefined && (preposition === 'in' || preposition === 'inside' || preposition === 'within'))
    return { kind: 'PART_OF', reverse: false, clear: 1 };
  // "is with", "is on" say nothing between things.
  return noun === undefined ? undefined : { kind: 'OTHER', reverse: false, clear: 1 };
}

function passiveMeaning(
  lemma: string,
  preposition: string | undefined,
  entry: (key: string) => Entry | undefined,
): Meaning | undefined {
  const plain = entry(lemma);
  if (preposition === 'by') {
    // "is received by X": X does it, and what is received comes here by being sent.
    const own = entry(`${lemma}+by`);
    if (own) return { ...own, clear: 2 };
    return plain
      ? { kind: plain.kind, reverse: !plain.reverse, clear: 2 }
      : { kind: 'OTHER', reverse: true, clear: 1 };
  }
  if (preposition === undefined) return undefined;
  const own = entry(`${lemma}+${preposition}`);
  if (own) return { kind: own.kind === 'WRITES' ? 'USES' : own.kind, reverse: own.reverse, clear: 2 };
  if (MEANS.has(preposition)) return { kind: 'USES', reverse: false, clear: 1 };
  if (preposition === 'to' || preposition === 'into') return { kind: 'SENDS', reverse: false, clear: 1 };
  if (preposition === 'in' || preposition === 'on' || preposition === 'from' || preposition === 'inside')
    return { kind: 'OTHER', reverse: false, clear: 1 };
  return { kind: 'OTHER', reverse: false, clear: 0 };
}

/** The schema's type for each kind. */
export function typesOf(schema: GraphSchema): (kind: Kind) => string {
  const known = new Map(
    schema.relationTypes.map((type) => [type.toUpperCase().replaceAll(/[\s-]+/g, '_'), type]),
  );
  const picked = new Map<Kind, string>();
  for (const kind of Object.keys(TYPES) as Kind[])
    picked.set(
      kind,
      TYPES[kind].map((name) => known.get(name)).find((type) => type !== undefined) ?? OTHER_TYPE,
    );
  return (kind) => picked.get(kind) ?? OTHER_TYPE;
}
