// Edits of a YAML configuration in place. The text is parsed to find where things are; only our own lines are written, so
// that comments, order and quoting of the rest stay.

import { isMap, isScalar, parseDocument, stringify, type Pair, type YAMLMap } from 'yaml';
import { valueAt } from '../../domain/object.ts';

/** The new text; undefined where it is not YAML, or where our entry has no line of its own to go to. */
export function editYaml(
  [holder, name]: readonly string[],
  text: string,
  entry: unknown,
): string | undefined {
  const parsed = parseDocument(text);
  if (parsed.errors.length > 0) return undefined;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const root = parsed.contents;
  if (root !== null && !isMap(root)) return undefined;
  const outer = root && pairOf(root, holder!);
  const map = outer && isMap(outer.value) ? outer.value : undefined;
  const held = map && pairOf(map, name!);
  if (JSON.stringify(entry) === JSON.stringify(valueAt(parsed.toJS(), [holder!, name!]))) return text;
  if (map?.flow && map.items.length > 0) return undefined;

  const block = (indent: string): string[] =>
    entry === undefined
      ? []
      : stringify({ [name!]: entry }, { lineWidth: 0 })
          .trimEnd()
          .split('\n')
          .map((line) => indent + line);
  const lines = text.split(/\r?\n/);
  if (!outer) {
    if (entry === undefined) return text;
    const before = lines.join(eol).trimEnd();
    return `${before === '' ? '' : before + eol}${[`${holder}:`, ...block('  ')].join(eol)}${eol}`;
  }
  if (held) {
    const start = lineAt(text, held);
    lines.splice(start, blockLength(lines, start), ...block(indentAt(lines[start]!)));
    // An empty block would be null, which the client may not read.
    if (entry === undefined && map.items.length === 1)
      lines[lineAt(text, outer)] = lines[lineAt(text, outer)]!.replace(/:(?=\s*(?:#.*)?$)/, ': {}');
  } else {
    const start = lineAt(text, outer);
    if (map === undefined || map.items.length === 0) {
      if (entry === undefined) return text;
      // `extensions:` or `extensions: {}`, perhaps with a comment behind it.
      lines[start] = lines[start]!.replace(/:\s*(?:\{\s*\}|null|~)?/, ':');
      lines.splice(start + 1, 0, ...block(`${indentAt(lines[start])}  `));
    } else {
      const first = lineAt(text, map.items[0]!);
      lines.splice(first, 0, ...block(indentAt(lines[first]!)));
    }
  }
  return lines.join(eol);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function lineAt(text: string, pair: Pair): number {
  const offset = (pair.key as { range: [number, number, number] }).range[0];
  return text.slice(0, offset).split('\n').length - 1;
}

function indentAt(line: string): string {
  return /^ */.exec(line)![0];
}

/** Our line and those that are deeper; blank lines after it belong to what follows. */
function blockLength(lines: readonly string[], start: number): number {
  const depth = indentAt(lines[start]!).length;
  let end = start + 1;
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (line.trim() === '') continue;
    if (indentAt(line).length <= depth) break;
    end = at + 1;
  }
  return end - start;
}
