// Descriptions of interfaces: OpenAPI names an API and how it is entered, AsyncAPI what is sent and received.

import type { YAMLMap } from 'yaml';
import { nothing, relate, thing, type Declared } from './declared.ts';
import { at, keyOf, pairs, textAt, type Yaml } from './yaml.ts';

const SECURITY: Record<string, string> = {
  oauth2: 'OAuth 2.0',
  openIdConnect: 'OpenID Connect',
  mutualTLS: 'mTLS',
};

export function readOpenApi(root: YAMLMap, { line }: Yaml): Declared {
  const declared = nothing();
  const name = textAt(root, 'info', 'title');
  if (name === undefined) return declared;
  thing(declared, {
    name,
    kind: 'api',
    line: line(at(root, 'info', 'title')),
    description: textAt(root, 'info', 'description'),
  });
  for (const pair of pairs(at(root, 'components', 'securitySchemes') ?? at(root, 'securityDefinitions'))) {
    const protocol = SECURITY[textAt(pair.value, 'type') ?? ''];
    if (protocol === undefined) continue;
    thing(declared, { name: protocol, kind: 'protocol', line: line(pair.key) });
    relate(declared, name, protocol, { kind: 'USES', line: line(pair.key), keyword: 'security' });
  }
  for (const pair of pairs(at(root, 'paths'))) {
    thing(declared, { name: keyOf(pair), kind: 'endpoint', line: line(pair.key) });
    relate(declared, name, keyOf(pair), { kind: 'EXPOSES', line: line(pair.key), keyword: 'path' });
  }
  return declared;
}

export function readAsyncApi(root: YAMLMap, { line }: Yaml): Declared {
  const declared = nothing();
  const name = textAt(root, 'info', 'title');
  if (name === undefined) return declared;
  thing(declared, {
    name,
    kind: 'service',
    line: line(at(root, 'info', 'title')),
    description: textAt(root, 'info', 'description'),
  });
  const say = (channel: string, action: 'send' | 'receive', node: unknown) => {
    thing(declared, { name: channel, kind: 'event', line: line(node) });
    relate(declared, name, channel, {
      kind: action === 'send' ? 'PRODUCES' : 'CONSUMES',
      line: line(node),
      keyword: action,
    });
  };
  const channels = new Map<string, string>();
  for (const pair of pairs(at(root, 'channels'))) {
    const shown = textAt(pair.value, 'address') ?? keyOf(pair);
    channels.set(keyOf(pair), shown);
    // Before version 3 these say what others may do: what others publish, the application receives.
    for (const [key, action] of [
      ['publish', 'receive'],
      ['subscribe', 'send'],
    ] as const)
      if (at(pair.value, key) !== undefined) say(shown, action, pair.key);
  }
  for (const pair of pairs(at(root, 'operations'))) {
    const action = textAt(pair.value, 'action');
    const channel = textAt(pair.value, 'channel', '$ref')?.split('/').at(-1);
    if (channel !== undefined && (action === 'send' || action === 'receive'))
      say(channels.get(channel) ?? channel, action, pair.key);
  }
  return declared;
}
