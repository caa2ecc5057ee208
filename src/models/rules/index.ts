// The extractor that needs no model and no key: entities and relations from what documents plainly say. It reads a whole
// corpus best: what its names are is decided over all documents, then each is read for what it says of them.

import { hash } from 'node:crypto';
import type { GraphSchema } from '../../domain/graph.ts';
import type { CorpusReader, ExtractOptions, Extractor, Knowledge } from '../../ports/extractor.ts';
import {
  addSurvey,
  emptyCorpus,
  lexiconOf,
  mayHold,
  openCorpus,
  saveCorpus,
  surveyText,
  type Corpus,
} from './corpus.ts';
import { extractDocument } from './extract.ts';
import { buildKinds } from './kinds.ts';
import { typesOf } from './relations/meanings.ts';
import { openLexicon, saveLexicon, type Lexicon } from './terms/lexicon.ts';

/** Changes when the same texts would give another graph. */
const RULES_VERSION = 'rules-10';

export function createRulesExtractor(): Extractor {
  const lexiconBy = opener();
  const schemas = new WeakMap<GraphSchema, ReturnType<typeof prepare>>();
  return {
    provider: 'rules',
    model: 'rules',
    version: RULES_VERSION,
    hosted: false,
    corpus: CORPUS,
    async extract(input, schema, { knowledge }) {
      const prepared = schemas.get(schema) ?? prepare(schema);
      schemas.set(schema, prepared);
      const lexicon = knowledge ? lexiconBy(knowledge) : alone(input.text, input.path, schema);
      return extractDocument(input, { ...prepared, lexicon });
    },
  };
}

const CORPUS: CorpusReader = {
  survey: async (input) => surveyText(input.text, input.path),
  open: (saved) => {
    const corpus = saved ? openCorpus(saved) : emptyCorpus();
    return {
      add: (survey) => addSurvey(corpus, survey, 1),
      remove: (survey) => addSurvey(corpus, survey, -1),
      save: () => saveCorpus(corpus),
      knowledge: (schema) => knowledgeOf(schemaLexicon(corpus, schema)),
    };
  },
};

function prepare(schema: GraphSchema) {
  return { kinds: buildKinds(schema), typeOf: typesOf(schema) };
}

/** One text is a corpus too. */
function alone(text: string, path: string, schema: GraphSchema): Lexicon {
  const corpus = emptyCorpus();
  addSurvey(corpus, surveyText(text, path), 1);
  return schemaLexicon(corpus, schema);
}

/** The names of a corpus, and those that its schema states. */
function schemaLexicon(corpus: Corpus, { lexicon = {}, aliases = {} }: GraphSchema): Lexicon {
  const listed = Object.values(lexicon).flat();
  return lexiconOf(corpus, [
    ...listed.map((name) => ({ name, aliases: [] })),
    ...Object.entries(aliases).map(([name, others]) => ({ name, aliases: others })),
  ]);
}

/** Opens what is known of a corpus once for all of its documents. */
function opener(): (knowledge: NonNullable<ExtractOptions['knowledge']>) => Lexicon {
  let last: { id: string; lexicon: Lexicon } | undefined;
  return ({ id, bytes }) => {
    if (last?.id !== id) last = { id, lexicon: openLexicon(bytes) };
    return last.lexicon;
  };
}

function knowledgeOf(lexicon: Lexicon): Knowledge {
  const bytes = saveLexicon(lexicon);
  return {
    id: hash('sha256', bytes, 'hex'),
    bytes,
    differs(saved) {
      const last = openLexicon(saved);
      if (last.large !== lexicon.large) return () => true;
      const before = decisions(last);
      const now = decisions(lexicon);
      const changed: string[] = [];
      for (const [name, decided] of now) if (before.get(name) !== decided) changed.push(name);
      for (const name of before.keys()) if (!now.has(name)) changed.push(name);
      return changed.length === 0 ? undefined : (survey) => mayHold(survey, changed);
    },
  };
}

/** Everything about each name that a document is read with. */
function decisions({ terms, alias }: Lexicon): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, ...decided } of terms.values()) found.set(name, JSON.stringify(decided));
  for (const { from, to } of alias.values()) found.set(from, `= ${to}`);
  return found;
}
