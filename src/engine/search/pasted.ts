// A pasted command has flags (`openssl req -in a -out b`), a pasted message has quotation marks (`caddy: requesting "a": no
// such host`), and both are read as operators. They are text where the question quotes a passage that they kept from being
// found: of a command, where a flag stands there with its sign; of a message, where the question is punctuated like one.

import type { WordQuery } from '../../domain/query.ts';
import { asText, asTyped } from './parse-query.ts';
import type { Candidate } from './rerank.ts';

/** With the mark that sets it off: who searches for a phrase may write one. */
const PHRASE = /[:;]?\s?["“”„][^"“”„]*["“”„]/gu;
/** Punctuation that messages have; lists of search words have none, and sentences commas. */
const MARK = /(?:[\p{L}\p{N})\]][:;]|\])\s/u;

/** The question with its signs as text, if they may be. */
export function asPasted(query: WordQuery, text: string): WordQuery | undefined {
  const plain = query.not.length > 0 || MARK.test(text.replace(PHRASE, ' ')) ? asText(query) : undefined;
  const signs = [...query.must.map(asTyped), ...query.not.map((node) => `-${asTyped(node)}`)].join(', ');
  const notice = `The query was taken for a pasted text, and ${signs} for a part of it; AND before a part requires or excludes it all the same.`;
  return plain && { ...plain, notices: [...plain.notices, notice] };
}

/** Whether they are, by the best passage of that search. */
export function isPasted(
  { not }: WordQuery,
  best: Candidate | undefined,
  quoted: ReadonlySet<string>,
): boolean {
  if (!best || !quoted.has(best.chunk.id)) return false;
  return not.length === 0 || not.some((node) => hasFlag(best.chunk.text, `-${asTyped(node)}`));
}

function hasFlag(text: string, flag: string): boolean {
  const parts = text.split(flag);
  return parts.some(
    (after, at) => at > 0 && !/[\p{L}\p{N}-]$/u.test(parts[at - 1]!) && !/^[\p{L}\p{N}]/u.test(after),
  );
}
