// Finds the entity somebody means: by its exact name, ignoring case, or as part of a name; otherwise an error with the
// nearest names.

import { VaiError } from '../../domain/errors.ts';
import type { Entity } from '../../domain/graph.ts';
import { foldCase } from '../../domain/text.ts';
import { didYouMean, nearest } from '../../domain/nearest.ts';
import type { GraphReads, GraphScope } from '../../ports/graph-store.ts';
import { graphKey } from '../../domain/name-key.ts';
import type { Resolved } from './types.ts';

/** Documents may be searched without one. */
export const EMPTY_GRAPH =
  'The graph is empty: `vai graph build <collection>` builds that of a collection, flowrag_index that of the configured folder.';

const ALSO = 10;
const SUGGESTIONS = 5;
const STEPS = [
  ['exact', 'exact'],
  ['ignore-case', 'case-insensitive'],
  ['substring', 'substring'],
] as const;

export async function resolveEntity(
  graph: GraphReads,
  input: string,
  scope: GraphScope,
): Promise<{ entity: Entity; resolved: Resolved }> {
  const text = input.trim();
  if (text === '') {
    throw new VaiError('INVALID_INPUT', 'The name of the entity is empty.', {
      hint: 'List the entities first.',
    });
  }
  for (const [how, shown] of STEPS) {
    const matched =
      how === 'ignore-case' ? await ignoringCase(graph, text, scope) : await graph.named(text, how, scope);
    if (matched.length === 0) continue;
    // Another case or number may hide what was meant, and a word of the prose a class: the rest is named.
    const holding = how === 'substring' ? [] : await graph.named(text, 'substring', scope);
    const parts = how === 'exact' ? holding.filter((one) => qualification(one, text) > 0) : holding;
    const found = betterKnown(matched, parts, text);
    const [entity, ...others] = best(found, text);
    const more = [...matched, ...parts].filter(({ key }) => !found.some((one) => one.key === key));
    const also = [...others, ...best(unique(more), text)];
    return {
      entity: entity!,
      resolved: {
        input,
        name: entity!.name,
        how: shown,
        alsoMatched: also.slice(0, ALSO).map((other) => other.name),
      },
    };
  }
  throw await notFound(graph, input, scope);
}

/** The entity of a name, in any of its spellings; a part of a name is not enough. */
export async function knownEntity(
  graph: GraphReads,
  name: string,
  scope: GraphScope,
): Promise<Entity | undefined> {
  const found = await ignoringCase(graph, name.trim(), scope);
  return best(found, name.trim())[0];
}

/** `auth service` is `AuthService`: spellings that merge into one entity find it too. */
async function ignoringCase(graph: GraphReads, text: string, scope: GraphScope): Promise<Entity[]> {
  const named = await graph.named(text, 'ignore-case', scope);
  return named.length > 0 ? named : graph.byKeys([graphKey(text)], scope);
}

/**
 * A plural that was not typed does not hide a name that begins with the word and is known better: `order` is the Order
 * Service, not a container `orders`.
 */
function betterKnown(found: readonly Entity[], parts: readonly Entity[], text: string): readonly Entity[] {
  const typed = foldCase(text);
  const only = found.length === 1 && foldCase(found[0]!.name) === `${typed}s` ? found[0]! : undefined;
  const longer = parts.filter(
    ({ name, mentions }) => only && foldCase(name).startsWith(`${typed} `) && mentions > only.mentions,
  );
  return longer.length > 0 ? longer : found;
}

/**
 * What is called so in full but for what qualifies it (`cobra.Command`, `Pool (io/Pool.kt)`), a class before its constructor
 * and the best known first; then the shortest name, then the most evidence, then the alphabet; a plural that was not typed last.
 */
function best(found: readonly Entity[], text: string): Entity[] {
  const written = (entity: Entity) => [entity.name, ...entity.aliases].includes(text);
  // `payment` is rather the Payment Service than the Payments Team.
  const plural = (entity: Entity) => wordsOf(entity.name).includes(`${foldCase(text)}s`);
  const qualified = (entity: Entity) => qualification(entity, text);
  // How long the name of a file or of an outer class is tells nothing of what is in it.
  const known = (entity: Entity) => (qualified(entity) > 0 ? entity.mentions : 0);
  return [...found].sort(
    (a, b) =>
      Number(written(b)) - Number(written(a)) ||
      qualified(b) - qualified(a) ||
      Number(plural(a)) - Number(plural(b)) ||
      known(b) - known(a) ||
      a.name.length - b.name.length ||
      b.mentions - a.mentions ||
      (a.name < b.name ? -1 : 1),
  );
}

/** Whether the text is the name but for what qualifies it; more of a class, most of the one its file is named after. */
function qualification({ name, type }: Entity, text: string): number {
  const [bare, outer] = foldCase(name).replace(/ \([^()]*\)$/, '').split(/[.:#/]/).toReversed(); // prettier-ignore
  if (bare !== foldCase(text)) return 0;
  return type !== 'CLASS' ? 1 : outer === bare ? 3 : 2;
}

function wordsOf(name: string): string[] {
  return foldCase(name).split(/[^\p{L}\p{N}]+/u);
}

async function notFound(graph: GraphReads, input: string, scope: GraphScope): Promise<VaiError> {
  const shown = input.trim().slice(0, 120).replaceAll('`', "'");
  const { entities } = await graph.entities({ scope, limit: 2000 });
  const suggestions = nearest(
    input,
    entities.map((entity) => entity.name),
  ).slice(0, SUGGESTIONS);
  return new VaiError('ENTITY_NOT_FOUND', `No entity is called \`${shown}\`.`, {
    hint:
      entities.length === 0
        ? EMPTY_GRAPH
        : (didYouMean(suggestions) ?? 'List the entities to see what there is.'),
    suggestions,
  });
}

function unique(entities: readonly Entity[]): Entity[] {
  return [...new Map(entities.map((entity) => [entity.key, entity])).values()];
}
