// Explanations: measuring how good a search is.

import type { Topic } from '../topic.ts';

export const EVALUATION: readonly Topic[] = [
  {
    name: 'rerank-eval',
    aliases: ['ndcg', 'reranking-eval', 'mrr', 'eval-rerank', 'recall', 'evaluation'],
    title: 'Measuring retrieval: recall, MRR and NDCG',
    summary:
      'Three numbers say how good a search is: whether the right passage is found, how early, and how well the whole list is ordered.',
    content: `To know whether a change helped, write down questions together with the passages that answer them, and compute the same numbers before and after. Thirty questions are a start, a hundred are good.

## The three measures

**Recall@k** is the share of the right passages among the first k. With two right passages of which one is among the first ten, recall@10 is 0.5. It is the measure of the first stage, usually with a large k: what is not among the candidates cannot be reranked.

**MRR** (mean reciprocal rank) is the mean of 1/rank of the first right passage: 1 for the first place, 0.5 for the second, 0.1 for the tenth, 0 if it is missing. It suits questions for which one passage is enough.

**nDCG@k** rates the whole order. Each right passage earns its grade divided by log2(rank + 1); the sum is divided by the sum of the ideal order. It uses degrees of relevance and punishes good passages far down. 1.0 is perfect.

A worked example: two passages are right, and they come at ranks 1 and 3. The sum is 1/log2(2) + 1/log2(4) = 1 + 0.5 = 1.5. Ideally they would be at ranks 1 and 2: 1 + 0.631 = 1.631. So nDCG is 1.5 / 1.631 = 0.92. Recall@10 is 1 and the reciprocal rank is 1: both measures see no fault where nDCG sees one.

## With vai

\`vai eval handbook\` measures a collection in every search mode and prints nDCG@10, recall and the time per query. Without a file it makes questions out of the collection's own headings. That favours words a little, because headings share words with their sections; real questions are better. They go into a file of JSON Lines:

\`\`\`json
{"query": "how many holidays do I get", "answers": [{"path": "one.md", "start": 3, "end": 7}]}
\`\`\`

The path is that of the document in the collection, and the lines are those that answer. Run \`vai eval handbook --questions questions.jsonl\`.

## Reading the result

- **Compare on the same questions**, and look at each question that changed. The mean hides that one bad document lost five of them.
- **Mind chance.** With thirty questions a difference of 0.02 means nothing. With a few hundred, a difference of 0.02 may be real.
- **Measure the stages separately.** If recall@50 of the first stage is low, work on chunks and embeddings; if it is high and nDCG@10 is low, work on ranking.
- **Never tune on the questions you report.** Split them: choose settings on one half, report the other.

## A different question: is there an answer at all?

These measures assume that each question has an answer. For questions without one, look at the verdict: how often is \`nothing_relevant\` said of questions your documents do not answer, and how often wrongly of those they do? The evaluation page has both figures for vai.`,
    tryIt: ['vai eval handbook --sample 50', 'vai eval handbook --questions questions.jsonl'],
    related: ['reranking', 'two-stage-retrieval', 'eval-comparison', 'rteb-benchmarks'],
    links: ['docs/evaluation.md#your-own-collection', 'docs/evaluation.md#relevance-and-the-verdict'],
  },
  {
    name: 'eval-comparison',
    aliases: ['compare', 'eval-compare', 'baseline', 'save-results', 'a-b-test', 'regression'],
    title: 'Comparing two set-ups fairly',
    summary: 'Keep the questions fixed, change one thing, save both outputs, and look at what moved.',
    content: `A fair comparison changes one thing at a time: the model, the chunk size, the reranker or the mode. Everything else stays, above all the questions.

## Step by step

Suppose you want to know whether chunks of 800 characters serve your handbook better than the default.

1. Write \`questions.jsonl\` with at least thirty real questions and the lines that answer them. Do this before you look at any result.
2. Ingest the same folder twice, into two collections. Ingest the second with \`--only-when-named\`, so that nobody's ordinary search finds everything twice.
3. Run \`vai eval\` on both with the same file and save the JSON.
4. Compare nDCG@10 and recall, then list the questions that got better and those that got worse, and read them.

As commands:

\`\`\`bash
vai ingest docs/ --collection handbook
vai ingest docs/ --collection handbook-800 --chunk-size 800 --only-when-named
vai eval handbook --questions questions.jsonl --json > base.json
vai eval handbook-800 --questions questions.jsonl --json > small.json
\`\`\`

Answers in the file name documents by path and lines, not by chunk, so the same file fits every way of chunking.

## Variants that need no second collection

The search mode: \`vai eval\` measures all modes in one run. The reranker: \`vai query\` with and without \`--no-rerank\`, or with \`--rerank-model\`. The query model within a shared space: \`vai query --model voyage-4-lite\` against a collection of voyage-4-large.

A different embedding model always needs a second collection, because vectors of different models cannot be mixed.

## Judging the difference

Count, for each question, which variant put the right passage higher. If the new variant wins on eleven questions, loses on nine and ties on eighty, nothing was shown, whatever the mean says. If it wins on eighteen and loses on two, it is better. This sign test can be done in the head, and it protects against the single question that moves a mean.

Then weigh what it costs: a variant that gains 0.01 and doubles the bill or the delay is rarely worth it.

## Keeping a baseline

Save the output of the set-up you chose, with the date, the model and the version of vai (\`vai --version\`). Run the same questions again after an upgrade, after a large change of the documents, and when people complain. A drop is a regression that you find before most of your users do.

Answers of vai are deterministic for the same store, models and question. With the built-in models a difference between two runs is therefore caused by something you changed. Hosted models may change slightly over time; keep the model's name with the results, and repeat the baseline on the same day when you compare.

If an upgrade brings a new revision of the built-in embedding, older collections are searched by words, with the notice \`stale_vectors\`, until their files are ingested again. Do that before you compare.`,
    tryIt: [
      'vai ingest docs/ --collection handbook-800 --chunk-size 800 --only-when-named',
      'vai eval handbook-800 --sample 50 --json',
    ],
    related: ['rerank-eval', 'benchmarking', 'chunking'],
    links: ['docs/evaluation.md#your-own-collection', 'docs/models-and-costs.md#mixing-models'],
  },
  {
    name: 'benchmarking',
    aliases: ['benchmark', 'model-selection', 'choosing'],
    title: 'Choosing a model by measuring',
    summary: 'Thirty real questions with known answers tell more about a model than any leaderboard.',
    content: `A leaderboard averages over other people's documents. Whether a model suits yours can only be seen on yours, and an afternoon is enough to find out.

## The procedure

1. **Collect questions.** Thirty to a hundred that people really asked, in their own words. Search logs, support tickets and chat channels are good places. Do not invent them while reading the documents: you would borrow their words, and every search by words would look brilliant.
2. **Note the answers.** For each question, the document and the lines that answer it, in the format of \`vai eval\`.
3. **Take a sample of the documents** that contains all the answers and a few hundred others. Too small a sample makes every model look good.
4. **Ingest it once per candidate**, each into a collection of its own. For files you can see the price first: \`vai estimate docs/ --model voyage-4-large\` sends nothing.
5. **Run \`vai eval\`** on each, and read the questions on which they differ.
6. **Weigh quality against price, delay and where the text goes.** \`vai estimate\` gives the price at your volume.

## Candidates worth including

| candidate | why |
|---|---|
| builtin-embed-1 with hybrid search | the baseline: free, offline, immediate |
| the same with reranking | what \`vai query\` does without a key |
| voyage-4-large | the best of the catalogue for general text |
| voyage-4-lite | a sixth of the price in the same space |
| voyage-code-3, voyage-law-2, voyage-finance-2 | only if the documents are of that kind |
| a model of your own behind Ollama or an OpenAI-compatible endpoint | when text must stay in your network |

If the baseline already puts the right document among the first five for nearly all questions, the money is better spent elsewhere: on cleaning up outdated documents, for example.

## What to expect

Within one family the order large, middle, lite usually holds, with small steps. Chunking, adding words to vectors, and reranking often change more than the step from one hosted model to the next. Domain models gain in their domain and lose outside it. Languages other than English are where the built-in model is weakest: it was trained on English, and other scripts match only literally.

Look at delay as well. A hosted embedder adds a network round trip to each query, a hosted reranker a longer one. The built-in models add milliseconds.

## Common mistakes

- Comparing models with different chunking, modes or rerankers.
- Looking only at the mean. Ten questions on which both models fail say something about the documents.
- Choosing on the same questions whose figures are reported afterwards.
- Ignoring questions that have no answer. The model should not only find what is there; the set-up should also notice when nothing is. The verdict of each answer can be counted like any other result.

Our own procedure, sets and figures are in the evaluation page; the sources that the built-in model was trained on are in its model card.`,
    tryIt: ['vai estimate --docs 10000 --queries 50000', 'vai eval handbook --sample 100'],
    related: ['rerank-eval', 'eval-comparison', 'rteb-benchmarks', 'models'],
    links: ['docs/evaluation.md', 'docs/model-card.md', 'docs/models-and-costs.md#what-will-it-cost'],
  },
  {
    name: 'rteb-benchmarks',
    aliases: ['rteb', 'scores', 'leaderboard', 'mteb'],
    title: 'RTEB: what the benchmark says, and what it does not',
    summary:
      'RTEB measures retrieval over many datasets, some of them kept private so that models cannot be trained on them.',
    content: `RTEB (Retrieval Embedding Benchmark) scores embedding models by nDCG@10 over datasets from law, finance, code, medicine and general text. Part of the datasets is private. That is its advantage over older leaderboards such as MTEB, whose test sets have been public for years and have found their way into training data: on a private set a model cannot have seen the answers.

## The figures in the catalogue

\`vai models --benchmarks\` prints them. They are the vendor's own means over 29 datasets, published in January 2026:

| model | mean nDCG@10 |
|---|--:|
| voyage-4-large | 71.41 |
| voyage-4 | 70.07 |
| Gemini Embedding 001 | 68.66 |
| voyage-4-lite | 68.10 |
| Cohere Embed v4 | 65.75 |
| OpenAI v3 Large | 62.57 |

In relative terms voyage-4-large leads Gemini by 4.0, Cohere by 8.6 and OpenAI by 14.1 percent. These are percentages of the other model's score, not points: 71.41 / 68.66 is 1.040.

## Reading such numbers

**A mean over 29 datasets is not your dataset.** A model can lead on average and lose on legal text, or the other way round. Where per-dataset figures are published, look at the ones that resemble your documents.

**One point is invisible.** The difference between voyage-4-large and voyage-4 is 1.3 points; on a hundred questions it moves the right passage by one place for a handful of them. Chunking, hybrid search and a reranker change more.

**The whole pipeline counts.** RTEB measures vectors alone. In practice words take part and a reranker orders the result, which evens out differences between embedders. On our judged sets, adding words to the built-in embedding raises nDCG@10; relations and reranking raise it further.

**Vendor figures deserve a check.** Each vendor publishes the comparison that it leads. The settings (dimensions, instruction, truncation) are often chosen well for the own model and by default for the others. This applies to our figures too, which is why the evaluation page says how each was made and the benchmark can be repeated.

**Scores of different benchmarks cannot be compared.** The figures of our evaluation page are means over other sets, with passages, questions and judgements of their own. They say nothing about whether a model is better or worse than one with 68 points on RTEB. The built-in model has no RTEB figure.

## What to use it for

To draw up a short list of two or three candidates, and to notice when a model is clearly out of date: a gap of ten points is real. Then decide on your own questions, as the topic on benchmarking describes.

For rerankers there is no RTEB figure. Their gain depends on the first stage in front of them, so they can only be judged together with it, for example with \`vai query\` with and without \`--no-rerank\` on the same questions.`,
    tryIt: ['vai models --benchmarks', 'vai models --category embedding'],
    related: ['benchmarking', 'models', 'rerank-eval'],
    links: ['docs/evaluation.md#figures', 'docs/models-and-costs.md#the-catalogue'],
  },
];
