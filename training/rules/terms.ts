// Learns what a name is: node training/rules/terms.ts --text <folder> --labels <file> [--out src/models/rules/terms/weights.ts]
// The folder holds one folder of documentation per project; the file one judged candidate per line:
// {"project":"…","key":"…","right":true}. Keys are those of src/models/rules/terms/keys.ts.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addSurvey, emptyCorpus, surveyText, type Corpus } from '../../src/models/rules/corpus.ts';
import { featuresOf, spelling } from '../../src/models/rules/terms/features.ts';
import { TERM_WEIGHTS, type TermFeature } from '../../src/models/rules/terms/weights.ts';
import { fit, leftOut, predict, report, type Example } from './fit.ts';

/** What is plain but seldom met in the judged candidates: what a drawing shows is a name. */
const PRIOR: Partial<Record<TermFeature, number>> = {
  node: 2.5,
  listedOnce: 1.2,
  compound: 1.5,
  actsMarked: 0.5,
  markedTwice: 0.4,
};
const HOLD = 1;
const FEATURES = Object.keys(TERM_WEIGHTS) as TermFeature[];

const { values } = parseArgs({
  options: {
    text: { type: 'string' },
    labels: { type: 'string' },
    out: { type: 'string' },
    errors: { type: 'boolean' },
  },
});
if (values.text === undefined || values.labels === undefined)
  throw new Error('--text and --labels are needed');

interface Label {
  project: string;
  key: string;
  right: boolean;
}

const labels = readFileSync(values.labels, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Label);

function corpusOf(folder: string): Corpus {
  const corpus = emptyCorpus();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.(?:mdx?|rst|adoc)$/.test(path))
      addSurvey(corpus, surveyText(readFileSync(join(folder, path), 'utf8'), path), 1);
  return corpus;
}

const corpora = new Map<string, Corpus>();
const examples: (Example & { name: string })[] = [];
for (const { project, key, right } of labels) {
  let corpus = corpora.get(project);
  if (!corpus) corpora.set(project, (corpus = corpusOf(join(values.text, project))));
  const candidate = corpus.candidates.get(key);
  if (!candidate) continue;
  const shown = featuresOf({ ...candidate, words: corpus.words });
  const features = FEATURES.map((feature) => shown[feature]);
  examples.push({ project, name: spelling(candidate), features, right });
}

const fitting = { hold: HOLD, prior: FEATURES.map((feature) => PRIOR[feature] ?? 0) };
const judged = leftOut(examples, fitting);
report(judged, [0.2, 0.3, 0.4, 0.5, 0.6]);
if (values.errors === true) {
  const shown = (list: typeof judged) => list.map((one) => `${one.name} ${one.chance.toFixed(2)}`).join(', ');
  console.log('taken for names:', shown(judged.filter((one) => !one.right && one.chance > 0.4)));
  console.log('not taken:', shown(judged.filter((one) => one.right && one.chance < 0.4)));
}
const weights = fit(examples, fitting);
console.log(
  `on all of them: ${examples.filter((one) => one.right === predict(weights, one.features) >= 0.4).length} told right`,
);
if (values.out !== undefined) {
  const named = FEATURES.map((feature, at) => `  ${feature}: ${Number(weights[at]!.toFixed(3))},\n`).join('');
  writeFileSync(
    values.out,
    `// Learned from judged candidates, see training/rules/terms.ts.\n\nexport const TERM_WEIGHTS = {\n${named}};\n\nexport type TermFeature = keyof typeof TERM_WEIGHTS;\n`,
  );
}
