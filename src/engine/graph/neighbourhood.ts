// The piece of the mention index around a question: seed chunks, the names they hold, the chunks those names lead to.

import type { GraphReads, GraphScope } from '../../ports/graph-store.ts';
import { TOPIC } from './mentions/mentions.ts';
import { COMMON } from './query-names.ts';

export interface Neighbourhood {
  chunks: string[];
  /** Per chunk: positions in `names`, and how strongly the chunk holds each (a topic holds it more). */
  links: { name: number; weight: number }[][];
  names: string[];
  /** Rarity of each name: what a step over it is worth. */
  rarity: number[];
}

const MAX_CHUNKS = 600;
const MAX_NAMES = 400;
/** A chunk whose own heading is the name answers for it more than one that mentions it. */
const TOPIC_WEIGHT = 16;
/** Collection size assumed for rarity: only differences between names matter. */
const ASSUMED = 2000;

export async function loadNeighbourhood(
  graph: GraphReads,
  start: { seeds: readonly string[]; names: ReadonlyMap<string, string[]>; scope: GraphScope },
): Promise<Neighbourhood> {
  const held = await graph.mentionsOfChunks(start.seeds);
  const keys = new Set<string>();
  for (const mentions of held.values())
    for (const key of mentions)
      if (!key.startsWith(TOPIC) && !start.names.has(key) && keys.size < MAX_NAMES) keys.add(key);
  const { scope } = start;
  const lists = await graph.chunksWithMentions([...keys], { scope, limit: COMMON });
  for (const [key, chunks] of start.names) lists.set(key, chunks);
  // The list of a name holds the chunks that are about it, unless it was cut: only then they are asked for by themselves.
  const common = [...lists].filter(([, chunks]) => chunks.length >= COMMON).map(([key]) => TOPIC + key);
  for (const [key, chunks] of await graph.chunksWithMentions(common, { scope, limit: COMMON }))
    lists.set(key, chunks);
  const chunks = collect(start.seeds, lists);
  const missing = [...chunks].filter((id) => !held.has(id));
  for (const [id, mentions] of await graph.mentionsOfChunks(missing)) held.set(id, mentions);
  return connect([...chunks], held, { lists, asked: start.names });
}

/** Seeds first, then what the rarest names lead to, up to the limit. */
function collect(seeds: readonly string[], lists: ReadonlyMap<string, string[]>): Set<string> {
  const chunks = new Set(seeds);
  const ordered = [...lists].sort((a, b) => a[1].length - b[1].length || (a[0] < b[0] ? -1 : 1));
  for (const [key, ids] of ordered) {
    if (ids.length >= COMMON && !key.startsWith(TOPIC)) continue;
    for (const id of ids) if (chunks.size < MAX_CHUNKS) chunks.add(id);
  }
  return chunks;
}

function connect(
  chunks: string[],
  held: ReadonlyMap<string, string[]>,
  known: { lists: ReadonlyMap<string, string[]>; asked: ReadonlyMap<string, string[]> },
): Neighbourhood {
  const local = new Map<string, number>();
  for (const id of chunks)
    for (const key of held.get(id) ?? [])
      if (!key.startsWith(TOPIC)) local.set(key, (local.get(key) ?? 0) + 1);
  const names: string[] = [];
  const rarity: number[] = [];
  const position = new Map<string, number>();
  for (const [key, count] of local) {
    // A name of one chunk links nothing, unless the question itself names it.
    if (count < 2 && !known.asked.has(key)) continue;
    position.set(key, names.length);
    names.push(key);
    rarity.push(Math.log(1 + ASSUMED / Math.max(count, known.lists.get(key)?.length ?? 0)));
  }
  const links = chunks.map((id) => {
    const mentions = held.get(id) ?? [];
    const topics = mentions.filter((key) => key.startsWith(TOPIC)).map((key) => key.slice(TOPIC.length));
    const list: Neighbourhood['links'][number] = [];
    for (const key of mentions) {
      const name = position.get(key);
      if (name !== undefined) list.push({ name, weight: topics.includes(key) ? 1 + TOPIC_WEIGHT : 1 });
    }
    return list;
  });
  return { chunks, links, names, rarity };
}
