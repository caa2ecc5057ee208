// How many tokens a text is likely to be. Deliberately high for code and CJK, because batches and cost limits are kept
// with it: ASCII characters / 3, one for every other code point.

export function estimateTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128) ascii += 1;
    else if (code < 0xdc00 || code > 0xdfff) other += 1;
  }
  return Math.ceil(ascii / 3) + other;
}
