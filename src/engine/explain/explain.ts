// The engine group `explain`: a topic by its name, by another word for it, or by what comes close enough. Own texts
// only; nothing here reads a file or a network.

import { VaiError } from '../../domain/errors.ts';
import { editDistance } from '../../domain/nearest.ts';
import { requireScope, type Call } from '../call.ts';
import type { Topic } from './topic.ts';
import { EVALUATION } from './topics/evaluation.ts';
import { IMAGES } from './topics/images.ts';
import { MODELS } from './topics/models.ts';
import { RETRIEVAL } from './topics/retrieval.ts';
import { SERVICES } from './topics/services.ts';
import { VECTORS } from './topics/vectors.ts';
import { WORKING } from './topics/working.ts';

export const TOPICS: readonly Topic[] = [
  ...VECTORS,
  ...RETRIEVAL,
  ...EVALUATION,
  ...MODELS,
  ...IMAGES,
  ...SERVICES,
  ...WORKING,
];

const BY_NAME: ReadonlyMap<string, Topic> = new Map(TOPICS.map((topic) => [topic.name, topic]));
const BY_ALIAS: ReadonlyMap<string, Topic> = new Map(
  TOPICS.flatMap((topic) => topic.aliases.map((alias): [string, Topic] => [alias, topic])),
);

export interface Explanation {
  topic: string;
  title: string;
  summary: string;
  content: string;
  links: string[];
  tryIt: string[];
  relatedTopics: string[];
  /** What was asked for, when it was not the topic's own name. */
  matchedFrom?: string;
}

export interface TopicSummary {
  topic: string;
  /** Other names it answers to. */
  aliases: readonly string[];
  title: string;
  summary: string;
}

export interface Explain {
  topics(call: Call): TopicSummary[];
  topic(call: Call, name: string): Explanation;
}

const MAX_SUGGESTIONS = 5;
const STRONG = 10;

export function createExplain(): Explain {
  return {
    topics(call) {
      requireScope(call.principal, 'read');
      return TOPICS.map(({ name, aliases, title, summary }) => ({ topic: name, aliases, title, summary }));
    },
    topic(call, name) {
      requireScope(call.principal, 'read');
      return explain(name);
    },
  };
}

export function explain(asked: string): Explanation {
  const key = asked
    .trim()
    .toLowerCase()
    .slice(0, 100)
    .replaceAll(/[\s_]+/g, '-');
  const spaced = key.replaceAll('-', ' ');
  const found = BY_NAME.get(key) ?? BY_ALIAS.get(key) ?? BY_ALIAS.get(spaced) ?? closest(key);
  if (!found) throw unknown(asked, key);
  return {
    topic: found.name,
    title: found.title,
    summary: found.summary,
    content: found.content,
    links: [...(found.links ?? [])],
    tryIt: [...found.tryIt],
    relatedTopics: [...found.related],
    ...(found.name === key ? {} : { matchedFrom: asked.trim().slice(0, 100) }),
  };
}

/** The one topic that clearly is meant: several of its words, or a typing error away. */
function closest(key: string): Topic | undefined {
  if (key.length < 3) return undefined;
  const ranked = rank(key);
  const [first, second] = ranked;
  return first && first.score >= STRONG && first.score > (second?.score ?? 0) ? first.topic : undefined;
}

function rank(key: string): { topic: Topic; score: number }[] {
  const words = key.split('-').filter((word) => word.length > 2);
  return TOPICS.map((topic) => {
    const names = [topic.name, ...topic.aliases];
    let score = 0;
    if (key.length > 4 && names.some((name) => editDistance(key, name, 2) <= 2)) score += STRONG;
    // Text of the explanation suggests; only names may decide.
    for (const word of words) {
      if (names.some((name) => name.split(/[-\s]/).includes(word))) score += 6;
      else if (topic.title.toLowerCase().split(/\W+/).includes(word) && !COMMON.has(word)) score += 3;
      else if (topic.summary.toLowerCase().split(/\W+/).includes(word) && !COMMON.has(word)) score += 1;
    }
    return { topic, score };
  })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.topic.name < b.topic.name ? -1 : 1));
}

const COMMON = new Set([
  'the',
  'and',
  'for',
  'with',
  'how',
  'what',
  'which',
  'that',
  'are',
  'not',
  'one',
  'from',
  'your',
  'you',
]);

function unknown(asked: string, key: string): VaiError {
  const suggestions = rank(key)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ topic }) => topic.name);
  const shown = asked
    .trim()
    .slice(0, 60)
    .replaceAll(/[`\p{Cc}]/gu, ' ');
  return new VaiError('UNKNOWN_TOPIC', `There is no explanation of \`${shown}\`.`, {
    hint: suggestions.length
      ? `Did you mean ${suggestions.join(', ')}?`
      : `Topics: ${TOPICS.map((topic) => topic.name).join(', ')}.`,
    suggestions,
    data: { topics: TOPICS.map((topic) => topic.name) },
  });
}
