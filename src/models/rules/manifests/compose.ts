// docker-compose: services, what they wait for, and whom their settings point at.

import { isMap, type YAMLMap } from 'yaml';
import { hostOf, imageName, kindOfImage, nothing, relate, thing, type Declared } from './declared.ts';
import { at, keyOf, pairs, scalar, strings, textAt, type Yaml } from './yaml.ts';

export function readCompose(root: YAMLMap, { line }: Yaml): Declared {
  const declared = nothing();
  const services = pairs(root.get('services')).filter((pair) => isMap(pair.value));
  const names = new Set(services.map(keyOf));
  for (const pair of services) {
    const name = keyOf(pair);
    const image = textAt(pair.value, 'image');
    thing(declared, { name, kind: kindOfImage(image, name), line: line(pair.key) });
    for (const also of [imageName(image), textAt(pair.value, 'container_name')])
      if (also !== undefined && also !== name) declared.also.push({ name, of: also });
  }
  for (const pair of services) {
    const name = keyOf(pair);
    const link = (target: string | undefined, node: unknown, keyword: string) => {
      if (target !== undefined && names.has(target))
        relate(declared, name, target, {
          kind: keyword === 'environment' ? 'USES' : 'DEPENDS_ON',
          line: line(node),
          keyword,
        });
    };
    for (const { text, node } of strings(at(pair.value, 'depends_on'))) link(text, node, 'depends_on');
    for (const { text, node } of strings(at(pair.value, 'links'))) link(text.split(':')[0], node, 'links');
    for (const { value, node } of settingsOf(at(pair.value, 'environment')))
      link(hostOf(value), node, 'environment');
  }
  return declared;
}

/** `KEY: value` and `- KEY=value` say the same. */
function settingsOf(environment: unknown): { value: string; node: unknown }[] {
  if (isMap(environment))
    return pairs(environment).map((pair) => ({ value: scalar(pair.value) ?? '', node: pair.key }));
  return strings(environment).map(({ text, node }) => ({ value: text.slice(text.indexOf('=') + 1), node }));
}
