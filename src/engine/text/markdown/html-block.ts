// Which lines begin and end an HTML block in CommonMark: headings inside one are not headings of the document.
// MDX comments (`{/* … */}`) are treated the same way.

/** 1 to 7 are CommonMark's kinds; 8 is an MDX comment. */
export type HtmlBlockKind = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const BLOCK_NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|' +
  'track|ul';
const RAW_START = /^<(?:script|pre|style|textarea)(?:\s|>|$)/i;
const BLOCK_START = new RegExp(`^</?(?:${BLOCK_NAMES})(?:\\s|/?>|$)`, 'i');
const ATTRIBUTE = '(?:\\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\\s*=\\s*(?:[^"\'=<>`\\s]+|\'[^\']*\'|"[^"]*"))?)';
const WHOLE_TAG = new RegExp(
  `^(?:<[A-Za-z][A-Za-z0-9-]*${ATTRIBUTE}*\\s*/?>|</[A-Za-z][A-Za-z0-9-]*\\s*>)\\s*$`,
);
/** A tag longer than this is not looked at as a whole, so that a hostile line costs nothing. */
const MAX_TAG = 4000;

const ENDS: Record<1 | 2 | 3 | 4 | 5 | 8, RegExp> = {
  1: /<\/(?:script|pre|style|textarea)>/i,
  2: /-->/,
  3: /\?>/,
  4: />/,
  5: /\]\]>/,
  8: /\*\/\s*\}/,
};

/** The kind of block a line starting with `<` or `{` begins, if any. */
export function htmlBlockStart(line: string, interruptsParagraph: boolean): HtmlBlockKind | undefined {
  if (line.startsWith('{')) return /^\{\s?\/\*/.test(line) ? 8 : undefined;
  if (RAW_START.test(line)) return 1;
  if (line.startsWith('<!--')) return 2;
  if (line.startsWith('<?')) return 3;
  if (/^<![A-Za-z]/.test(line)) return 4;
  if (line.startsWith('<![CDATA[')) return 5;
  if (BLOCK_START.test(line)) return 6;
  if (!interruptsParagraph && line.length <= MAX_TAG && WHOLE_TAG.test(line)) return 7;
  return undefined;
}

/** Whether the block ends on this line; kinds 6 and 7 end before a blank line instead. */
export function htmlBlockEnds(kind: HtmlBlockKind, line: string): boolean {
  return kind !== 6 && kind !== 7 && ENDS[kind].test(line);
}
