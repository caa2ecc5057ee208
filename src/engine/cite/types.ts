// What reading citations takes and gives, for every toolset.

import type { Resolution } from '../../domain/citation.ts';
import type { VaiError } from '../../domain/errors.ts';
import type { LineRange } from '../../domain/lines.ts';
import type { ContextMode } from './context.ts';

export interface ReadRequest {
  citations: readonly string[];
  db?: string;
  mode?: ContextMode;
  /** Lines before and after. */
  padding?: number;
  /** Characters all snippets may take together as JSON; default: the budget of one answer. */
  budget?: number;
}

export interface Snippet {
  /** What was returned, pinned: `collection[/path]:start-end@hash`. */
  citation: string;
  collection: string;
  path: string;
  range: LineRange;
  /** Byte-exact text of those lines. */
  content: string;
  headingPath: string[];
  sha256: string;
  fetchedAt: string;
  /** What was asked for, where it is not what was returned. */
  requested?: LineRange;
  /** More belongs to it than was returned; `next` is the citation to continue with. */
  truncated?: boolean;
  next?: string;
  /** What became of lines cited from an older version. */
  status?: Resolution['status'];
}

export interface CiteNotice {
  code: string;
  message: string;
  citation?: string;
  alias?: string;
}

export interface ReadResult {
  /** One per range, in the order asked. */
  snippets: Snippet[];
  notices: CiteNotice[];
  /** Citations that could not be read; the others are unaffected. */
  failed: { citation: string; error: VaiError }[];
}
