// Reads the labelled passages: `=== id [file name]`, the text, then `@ name : TYPE` and `> source | TYPE | target`.

import { readFileSync } from 'node:fs';

export interface Passage {
  id: string;
  path: string;
  text: string;
  entities: { name: string; type: string }[];
  relations: { source: string; type: string; target: string }[];
}

export function readPassages(name: string): Passage[] {
  const text = readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8');
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const lines = part.trimEnd().split('\n');
      const [id = '', path = `${id}.md`] = lines[0]!.split(' ');
      const isLabel = (line: string) => /^@ .+ : [A-Z_]+$|^> .+ \| [A-Z_]+ \| .+$/.test(line);
      const labels = lines.slice(1).filter(isLabel);
      const body = lines.slice(1).filter((line) => !isLabel(line));
      return {
        id,
        path,
        text: body.join('\n'),
        entities: labels
          .filter((line) => line.startsWith('@'))
          .map((line) => {
            const at = line.lastIndexOf(' : ');
            return { name: line.slice(2, at), type: line.slice(at + 3) };
          }),
        relations: labels
          .filter((line) => line.startsWith('>'))
          .map((line) => {
            const [source = '', type = '', target = ''] = line.slice(2).split(' | ');
            return { source, type, target };
          }),
      };
    });
}
