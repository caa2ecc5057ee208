// Entries of a software catalogue in Backstage's format, and who owns what in a repository.

import type { YAMLMap } from 'yaml';
import type { Kind } from '../relations/meanings.ts';
import { nothing, relate, thing, type Declared, type ThingKind } from './declared.ts';
import { at, strings, textAt, type Yaml } from './yaml.ts';

const ENTRY = /^(?:Component|API|Resource|System|Domain|Group)$/;

export function isEntry(root: YAMLMap): boolean {
  return (
    /backstage/i.test(textAt(root, 'apiVersion') ?? '') ||
    (ENTRY.test(textAt(root, 'kind') ?? '') && at(root, 'spec', 'owner') !== undefined)
  );
}

export function readEntry(root: YAMLMap, { line }: Yaml): Declared {
  const declared = nothing();
  const name = textAt(root, 'metadata', 'name');
  const kind = textAt(root, 'kind') ?? '';
  if (name === undefined || !ENTRY.test(kind)) return declared;
  const type = textAt(root, 'spec', 'type') ?? '';
  const own: ThingKind =
    kind === 'API'
      ? 'api'
      : kind === 'Group'
        ? 'team'
        : /database|storage|bucket/i.test(type)
          ? 'database'
          : /queue|topic|stream/i.test(type)
            ? 'queue'
            : /library/i.test(type)
              ? 'package'
              : 'service';
  thing(declared, {
    name,
    kind: own,
    line: line(at(root, 'metadata', 'name')),
    description: textAt(root, 'metadata', 'description'),
  });
  const title = textAt(root, 'metadata', 'title');
  if (title !== undefined) declared.also.push({ name: title, of: name });
  const say = (key: string, said: { kind: Kind; flip?: boolean; other: ThingKind }) => {
    for (const { text, node } of strings(at(root, 'spec', key))) {
      // `component:default/orders` is `orders`.
      const plain = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf(':')) + 1);
      thing(declared, { name: plain, kind: said.other, line: line(node) });
      const [source, target] = said.flip ? [plain, name] : [name, plain];
      relate(declared, source, target, { kind: said.kind, line: line(node), keyword: key });
    }
  };
  say('owner', { kind: 'OWNS', flip: true, other: 'team' });
  say('system', { kind: 'PART_OF', other: 'service' });
  say('domain', { kind: 'PART_OF', other: 'concept' });
  say('subcomponentOf', { kind: 'PART_OF', other: 'service' });
  say('dependsOn', { kind: 'DEPENDS_ON', other: 'service' });
  say('consumesApis', { kind: 'CONSUMES', other: 'api' });
  say('providesApis', { kind: 'EXPOSES', other: 'api' });
  return declared;
}

/** `/services/orders/ @shop/payments`: the last folder is what is owned. */
export function readCodeOwners(text: string, startLine: number): Declared {
  const declared = nothing();
  text.split('\n', 5000).forEach((raw, index) => {
    const [pattern = '', ...owners] = raw.split('#')[0]!.trim().split(/\s+/);
    const part = pattern.split('/').findLast((one) => one !== '' && !/[*.?[\]]/.test(one));
    if (part === undefined || owners.length === 0) return;
    for (const owner of owners.slice(0, 20)) {
      const team =
        owner.startsWith('@') && owner.includes('/') ? owner.slice(owner.indexOf('/') + 1) : undefined;
      if (team === undefined) continue;
      const line = startLine + index;
      thing(declared, { name: team, kind: 'team', line });
      thing(declared, { name: part, kind: 'service', line });
      relate(declared, team, part, { kind: 'OWNS', line, keyword: 'owner' });
    }
  });
  return declared;
}
