// Explanations: pictures, and pages that consist of them.

import type { Topic } from '../topic.ts';

export const IMAGES: readonly Topic[] = [
  {
    name: 'multimodal-embeddings',
    aliases: [
      'multimodal',
      'multimodal-3',
      'multimodal-3.5',
      'voyage-multimodal',
      'voyage-multimodal-3',
      'voyage-multimodal-3.5',
      'image-embedding',
      'image-embeddings',
      'images',
    ],
    title: 'Multimodal embeddings: text and images in one space',
    summary: 'Multimodal models embed text, images and pages that mix both into comparable vectors.',
    content: `A multimodal model reads pictures as well as words and returns vectors of one space, so that a question in words can find a diagram, a screenshot or a scanned page.

## Two designs

**Two encoders.** CLIP and its successors have one network for text and one for images, trained so that a picture and its caption come close. They are fast and well suited to photographs, but read little text inside a picture and leave a gap between the two kinds of vectors.

**One encoder.** The Voyage multimodal models pass text and pixels through the same network. One input may mix both: a paragraph, its figure, its caption. That suits slides, reports and screenshots, where text and layout belong together, and it narrows the gap.

## Limits and prices of the Voyage models

Images may be PNG, JPEG, WebP or GIF, with at most 16 million pixels and 20 MB each. voyage-multimodal-3.5 costs 0.12 dollars per million text tokens and 0.60 dollars per billion pixels; about 560 pixels count as one token of context.

A calculation: a page rendered at 1,240 by 1,754 pixels has 2.17 million pixels. A thousand such pages are 2.17 billion pixels, which is $1.30. The text of the same thousand pages, at 500 tokens each, is half a million tokens and costs $0.06. Pictures of text are therefore about twenty times as expensive as the text.

## What vai does with them

vai sends **text** to these models when you name one; it does not send images. The endpoint differs from that of the other models, and vai takes care of it. A collection made with voyage-multimodal-3.5 has that model's own space and cannot be queried with a voyage-4 model.

For text alone there is no reason to prefer a multimodal model: voyage-4-large is made for it and costs the same. It makes sense where another program of yours puts image vectors of the same model into the same database and texts are to be comparable with them.

## What to do with pictures in vai

An image enters the knowledge base through words about it:

- **PDF with a text layer:** ingest it as it is. Each hit names its page.
- **Scans:** run OCR first. A PDF that consists of pictures only is refused as unreadable, and one with some such pages says how many, rather than being indexed empty.
- **Diagrams:** write them as Mermaid, PlantUML or DOT in Markdown. Their text is searchable, and the graph rules read the arrows as relations.
- **Screenshots and photographs:** one sentence per picture, stored with the file name as \`source\`, so that a hit leads to the picture.

An agent that can see may write those sentences itself and store them with \`vai_ingest\`: text "Screenshot of the billing page: the button Cancel plan is under the invoice list", source \`img/billing.png\`. Later \`vai_query\` with "where do I cancel" finds it, and the agent can open the picture.`,
    tryIt: ['vai models --category embedding', 'vai ingest report.pdf --collection reports'],
    related: ['cross-modal-search', 'modality-gap', 'multimodal-rag', 'models'],
    links: ['docs/models-and-costs.md#the-catalogue', 'docs/your-documents.md#what-can-be-read'],
  },
  {
    name: 'cross-modal-search',
    aliases: ['cross-modal', 'crossmodal', 'image-search'],
    title: 'Cross-modal search: asking in words, finding images',
    summary:
      'With a shared space for text and images, a question in words can be answered by a picture, and the other way round.',
    content: `Cross-modal search compares vectors of different kinds: a text against images, or an image against texts. It needs a model that embeds both, and it works only within that model's space. Typical uses are finding a photograph by description, finding the product that a customer's picture shows, and finding the slide with a certain chart.

## How it works

Every image is embedded once and stored. A question in words is embedded by the same model, and the images whose vectors have the highest cosine are the hits. Nothing is translated into words in between. That is the strength (no caption has to exist) and the weakness (nothing can be quoted, and nobody can see *why* a picture was found).

## What makes it work better

- **Describe what is visible.** "Bar chart of revenue by quarter" finds more than "last year's success". Models know shapes, objects, colours and scenes; they do not know that the person on the left is your head of sales.
- **Rank each kind by itself.** Cosines between a text and an image are lower than between two texts, even when they match perfectly. In a mixed list merge by rank, not by score.
- **Do not rely on text inside pictures.** Newer models read labels and headlines to a degree. A text extracted by OCR and searched by words is more reliable, above all for numbers and names.
- **Mind the size.** Small details disappear when a picture is scaled down. Divide large plans and posters into tiles.
- **Show the picture.** A person judges ten pictures at a glance, so return ten hits rather than one.

## In vai

vai keeps and searches text, and has no image vectors. The equivalent is search over *descriptions*. It takes one more step when the material is stored, and gives back what image vectors lack: search by words, filters, relevance, and citations.

Suppose a folder \`captions\` has one Markdown file per picture, with front matter:

\`type: photo\` and \`file: img/0412.jpg\`, then the line "A red bicycle leans against a brick wall."

After \`vai ingest captions/ --collection photos\` the search below finds it by "bike in front of a wall": the words differ, the meaning is near, and the hit shows \`metadata.file\`, which leads to the picture. With many kinds of material in one collection, \`--filter '{"metadata.type": "photo"}'\` limits the search to photographs.

Where do descriptions come from? Alternative texts and captions often exist already in HTML and Markdown, and are ingested with their pages. For the rest, a vision model can write them; two sentences are enough, one for what is shown and one for any text in the picture. Have them checked where errors matter.

## Image to text

The opposite direction, from a picture to documents, works the same way with an agent that can see: it describes the picture, and calls \`vai_query\` with the description. A screenshot of an error dialog is the best case, because the message in it can be searched literally with \`vai_search\` in the mode \`words\`.`,
    tryIt: [
      'vai ingest captions/ --collection photos',
      `vai search "bike in front of a wall" --collection photos --filter '{"metadata.type": "photo"}'`,
    ],
    related: ['multimodal-embeddings', 'modality-gap', 'multimodal-rag', 'filters'],
    links: ['docs/your-documents.md', 'docs/your-documents.md#filters'],
  },
  {
    name: 'multimodal-rag',
    aliases: ['visual-rag', 'document-screenshot', 'pdf-rag', 'pdf'],
    title: 'RAG over pages with pictures',
    summary:
      'Either embed page images directly or turn pages into text first; text gives exact citations, images keep the layout.',
    content: `Slides, scans and reports carry part of their meaning in layout and figures. Two ways lead from there to answers.

## Page images or text

| | page images | text first |
|---|---|---|
| stored | a vector per rendered page | text with headings and pages |
| found by | meaning of the picture | words and meaning |
| tables and charts | survive as they look | only as far as they are text |
| quotation | of the page | of exact lines |
| cost | by pixel, about twenty times that of the text | by token |
| answer written by | a model that can see | any model |

**Page images** suit decks in which the picture is the message, and forms whose layout carries the meaning. **Text first** suits everything that was written as text: manuals, contracts, papers, minutes.

A mixture is common: search in the text, and let an agent that can see open the page the hit names.

## What vai does

vai takes the second way. It reads PDF, DOCX, HTML, Jupyter notebooks, OpenAPI descriptions, Markdown and many other text formats, and treats all of them alike: chunks, vectors, citations. For PDF the lines count those of the extracted text, and every hit names its \`page\`, so that a person or an agent can open the right one.

A PDF without a text layer is refused with \`FILE_UNREADABLE\` ("contains no text, only pictures") instead of being indexed empty. If only some pages are pictures, the rest is stored and a notice says how many were not. In a folder the run goes on; the report lists what was left out and why.

## An example

\`\`\`bash
vai ingest report.pdf --collection reports
vai query "what did the audit recommend" --collection reports
\`\`\`

A hit looks like any other: the passage, \`relevance\`, a citation such as \`reports/report.pdf:210-224@…\`, and the page. \`vai get reports/report.pdf:210-224 --context 10\` shows ten lines more on each side.

## Getting more out of such documents

1. **Run OCR on scans** with a tool that writes a text layer into the PDF, then ingest that file. Pages and citations then work as usual.
2. **Prefer the source.** If a slide deck or a report exists as DOCX, HTML or Markdown, ingest that: headings are known rather than guessed.
3. **Add a sentence per figure.** "Figure 3: error rate fell from 4 % to 1 % after the cache was added." It costs little and makes the figure findable. It can stand in a file beside the PDF.
4. **Check tables.** Extracted tables lose their lines, and cells may run together. Where figures matter, store the table as CSV as well.
5. **Draw diagrams as text** (Mermaid, PlantUML, DOT). They can be searched, and their arrows become relations in the knowledge graph.

## Judging the result

Take twenty questions whose answers stand in figures or tables, and twenty from plain text. If the first group fails and the second does not, retrieval is fine and extraction is the problem: work on points 1 to 4 before you change models.`,
    tryIt: [
      'vai ingest report.pdf --collection reports',
      'vai query "what did the audit recommend" --collection reports',
    ],
    related: ['multimodal-embeddings', 'rag', 'ingest', 'citations'],
    links: ['docs/your-documents.md#what-can-be-read', 'docs/graph.md#what-the-rules-read'],
  },
];
