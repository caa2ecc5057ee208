// The smallest models there are, as files on disk: every token id picks a row of a table. An encoder gives the rows, a
// cross-encoder their sum. Written byte by byte in ONNX's protobuf layout, so that tests can run a real runtime without
// downloading a real model.

import { writerIn } from './write-files.ts';

const FLOAT = 1;
const INT64 = 7;

export interface TinyModel {
  /** Words the tokenizer knows, beside its markers; each is one token. */
  words: readonly string[];
  dimensions: number;
  /** Tokens the model reads, markers included. */
  maxTokens: number;
  /** One number for a question and a passage, instead of vectors. */
  reranks?: true;
}

/** Ids of the markers, before those of the words. */
export const MARKERS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'] as const;

/** Files by path, as a model hub lays them out. */
export function tinyModelFiles(model: TinyModel): Map<string, Uint8Array> {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  return new Map([
    [
      'config.json',
      json({ model_type: 'bert', hidden_size: model.dimensions, architectures: ['BertModel'] }),
    ],
    [
      'tokenizer_config.json',
      json({
        tokenizer_class: 'BertTokenizer',
        model_max_length: model.maxTokens,
        pad_token: '[PAD]',
        unk_token: '[UNK]',
        cls_token: '[CLS]',
        sep_token: '[SEP]',
      }),
    ],
    ['tokenizer.json', json(tokenizer(model.words))],
    ['onnx/model_quantized.onnx', onnxModel(model)],
  ]);
}

export function writeTinyModel(folder: string, model: TinyModel): void {
  const write = writerIn(folder);
  for (const [path, bytes] of tinyModelFiles(model)) write(path, bytes);
}

/** The row of a token: distinct for each id, so that a mean tells which tokens went into it. */
export function tokenRow(id: number, dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, at) => Math.sin(1 + id * 7 + at * 3));
}

export function tokenId(word: string, words: readonly string[]): number {
  const marker = MARKERS.indexOf(word as (typeof MARKERS)[number]);
  const known = words.indexOf(word);
  return marker >= 0 ? marker : known >= 0 ? MARKERS.length + known : 1;
}

function tokenizer(words: readonly string[]): unknown {
  const vocab = Object.fromEntries([...MARKERS, ...words].map((word, id) => [word, id]));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: MARKERS.map((content, id) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
      pair: [
        ...[special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
        ...[{ Sequence: { id: 'B', type_id: 1 } }, special('[SEP]')],
      ],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

function special(id: string): unknown {
  return { SpecialToken: { id, type_id: 0 } };
}

function onnxModel({ words, dimensions, reranks }: TinyModel): Uint8Array {
  const rows = MARKERS.length + words.length;
  const width = reranks ? 1 : dimensions;
  // Padding must weigh nothing in a sum.
  const rowOf = (id: number) => (reranks && id === 0 ? [0] : tokenRow(id, width));
  const table = Float32Array.from(Array.from({ length: rows }, (_, id) => rowOf(id)).flat());
  const tensor = message([
    [1, rows],
    [1, width],
    [2, FLOAT],
    [8, 'table'],
    [9, new Uint8Array(table.buffer)],
  ]);
  const axes = message([
    [1, 1],
    [2, INT64],
    [8, 'axes'],
    [9, new Uint8Array(BigInt64Array.of(1n).buffer)],
  ]);
  const dropAxis = message([
    [1, 'keepdims'],
    [3, 0],
    [20, 2],
  ]);
  const nodes = [
    message([
      [1, 'table'],
      [1, 'input_ids'],
      [2, 'last_hidden_state'],
      [4, 'Gather'],
    ]),
    message([
      [1, 'last_hidden_state'],
      [1, 'axes'],
      [2, 'logits'],
      [4, 'ReduceSum'],
      [5, dropAxis],
    ]),
  ];
  const graph = message([
    ...nodes.slice(0, reranks ? 2 : 1).map((node): Field => [1, node]),
    [2, 'tiny'],
    [5, tensor],
    ...(reranks ? [[5, axes] satisfies Field] : []),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map((name): Field => [
      11,
      value(name, INT64, ['batch', 'tokens']),
    ]),
    [
      12,
      reranks
        ? value('logits', FLOAT, ['batch', 1])
        : value('last_hidden_state', FLOAT, ['batch', 'tokens', dimensions]),
    ],
  ]);
  const operators = message([
    [1, ''],
    [2, 13],
  ]);
  return message([
    [1, 8],
    [7, graph],
    [8, operators],
  ]);
}

function value(name: string, type: number, shape: readonly (string | number)[]): Uint8Array {
  const sizes = shape.map((size): Field => [1, message([typeof size === 'string' ? [2, size] : [1, size]])]);
  const tensor = message([
    [1, type],
    [2, message(sizes)],
  ]);
  return message([
    [1, name],
    [2, message([[1, tensor]])],
  ]);
}

type Field = [number: number, value: number | string | Uint8Array];

/** One protobuf message: whole numbers as varints, everything else with its length before it. */
function message(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.map(([number, content]) => {
      if (typeof content === 'number') return Buffer.concat([varint(number << 3), varint(content)]);
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
    }),
  );
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.from([...bytes, rest]);
}
