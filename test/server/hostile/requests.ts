// Two thousand malformed or hostile requests, the same ones every time. Each is what one real attacker, broken client or
// confused proxy would send; the seed only chooses and mixes.

export interface Hostile {
  /** What it tries, for the message of a failure. */
  kind: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Sent over a raw socket instead, byte for byte. */
  raw?: string;
}

export interface Keys {
  good: string;
  expired: string;
  limited: string;
}

type Random = () => number;

/** Small, fast and the same everywhere (mulberry32). */
function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PATHS = [
  '../../../../etc/passwd',
  '..\\..\\windows\\system32',
  '/etc/shadow',
  'docs/../../config.json:1-3',
  '~/.vai/config.json',
  'file:///etc/passwd',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'docs\u0000.md:1-2',
  'CON',
  'a'.repeat(3_000),
  '.',
  '..',
  'constructor',
  '__proto__',
  'docs:99999999999999999999-1',
  'docs:-1--5',
  'docs:1-2@zzzzzzzz',
  '\u202Edocs:1-2',
  '${jndi:ldap://x}',
  '`id`; rm -rf /',
  "'; DROP TABLE documents; --",
  '{{7*7}}',
];

const WRONG: unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.1,
  '',
  ' ',
  [],
  {},
  [[]],
  [null],
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { length: 1e9 },
  'x'.repeat(60_000),
  Number.MAX_SAFE_INTEGER,
  '\u0000',
  '\ud800',
];

const PROTOTYPE = ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"x":1}}}', '{"toString":1}'];

/** `tools` and `uris`: what the server offers, so that most requests get past the first check. */
export function hostileRequests(
  count: number,
  keys: Keys,
  tools: { name: string; arguments: string[] }[],
): Hostile[] {
  const random = seeded(20_260_728);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const json = (key: string): Record<string, string> => ({
    'Content-Type': 'application/json',
    Authorization: `Bearer ${key}`,
  });
  const post = (kind: string, body: string, headers = json(keys.good)): Hostile => ({
    kind,
    method: 'POST',
    path: '/mcp',
    headers,
    body,
  });
  const rpc = (method: string, params: unknown): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const modern = (name: string): Record<string, string> => ({
    ...json(keys.good),
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': name,
  });

  const makers: (() => Hostile)[] = [
    () =>
      post(
        'bad JSON',
        pick(['{', '[', 'nonsense', '{"a":', '\u0000', '}{', '{"jsonrpc":"2.0"', "{'a':1}", '']),
      ),
    () =>
      post('not JSON-RPC', pick(['1', '"x"', 'null', '[]', '{}', '[1,2]', '{"jsonrpc":"1.0"}', '{"id":{}}'])),
    () => post('deep nesting', pick(['[', '{"a":']).repeat(500 + Math.floor(random() * 50_000))),
    () =>
      post(
        'deep arguments',
        rpc('tools/call', { name: pick(tools).name, arguments: nested(30 + Math.floor(random() * 200)) }),
      ),
    () =>
      post(
        'giant string',
        rpc('tools/call', {
          name: pick(tools).name,
          arguments: { query: 'A'.repeat(Math.floor(random() * 900_000)) },
        }),
      ),
    () =>
      post(
        'many values',
        `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":[${'0,'.repeat(210_000)}0]}}`,
      ),
    () =>
      post(
        'prototype keys',
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${pick(tools).name}","arguments":${pick(PROTOTYPE)}}}`,
      ),
    () =>
      post(
        'prototype in params',
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","__proto__":{"x":1},"params":{"__proto__":{"name":"x"}}}`,
      ),
    () => {
      const tool = pick(tools);
      const values = Object.fromEntries(tool.arguments.map((name) => [name, pick(WRONG)]));
      return post('wrong types', rpc('tools/call', { name: tool.name, arguments: values }));
    },
    () => {
      const tool = pick(tools);
      const values = Object.fromEntries(tool.arguments.map((name) => [name, pick(PATHS)]));
      return post(
        'path tricks',
        rpc('tools/call', { name: tool.name, arguments: values }),
        json(pick([keys.good, keys.limited])),
      );
    },
    () =>
      post(
        'path tricks in lists',
        rpc('tools/call', {
          name: pick(tools).name,
          arguments: { snippets: [pick(PATHS), pick(PATHS)], source: pick(PATHS) },
        }),
      ),
    () =>
      post(
        'path tricks in URIs',
        rpc('resources/read', { uri: `${pick(['vai', 'blz', 'flowrag', 'file', 'x'])}://${pick(PATHS)}` }),
      ),
    () => post('wrong URI', rpc('resources/read', { uri: pick(WRONG) })),
    () =>
      post(
        'wrong cursor',
        rpc(pick(['resources/list', 'resources/templates/list']), {
          cursor: pick([...PATHS, 'AAAA', '9'.repeat(500)]),
        }),
      ),
    () =>
      post(
        'wrong completion',
        rpc('completion/complete', {
          ref: pick([{ type: 'ref/prompt', name: pick(PATHS) }, { type: 'x' }, null]),
          argument: { name: pick(PATHS), value: pick(PATHS) },
        }),
      ),
    () =>
      post(
        'wrong prompt',
        rpc('prompts/get', {
          name: pick([...PATHS, 'discover-docs']),
          arguments: { technologies: pick(WRONG), x: pick(PATHS) },
        }),
      ),
    () =>
      post(
        'unknown method',
        rpc(pick(['x', '../x', 'tools/exec', '__proto__', 'rpc.discover', 'tools/call\u0000']), {}),
      ),
    () => post('unknown tool', rpc('tools/call', { name: pick([...PATHS, 'VAI_QUERY']), arguments: {} })),
    () =>
      post(
        'modern without envelope',
        rpc('tools/call', { name: pick(tools).name }),
        modern(pick(tools).name),
      ),
    () =>
      post(
        'header and body disagree',
        rpc('tools/call', {
          name: pick(tools).name,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        }),
        modern(
          pick(PATHS)
            .slice(0, 40)
            .replace(/[^ -~]/g, ''),
        ),
      ),
    () =>
      post('nonsense version', rpc('tools/list', {}), {
        ...json(keys.good),
        'MCP-Protocol-Version': pick(['1999-01-01', 'x', '2026-07-28']),
      }),
    () =>
      post(
        'batch',
        JSON.stringify(
          Array.from({ length: 1 + Math.floor(random() * 50) }, (_, id) => ({
            jsonrpc: '2.0',
            id,
            method: 'ping',
          })),
        ),
      ),
    () =>
      post(
        'wrong progress token',
        rpc('tools/call', { name: pick(tools).name, arguments: {}, _meta: { progressToken: pick(WRONG) } }),
      ),
    () => post('expired key', rpc('tools/list', {}), json(keys.expired)),
    () =>
      post(
        'foreign key',
        rpc('tools/list', {}),
        json(`vai-mcp-key-${Math.floor(random() * 1e15).toString(16)}`),
      ),
    () => post('no key', rpc('tools/list', {}), { 'Content-Type': 'application/json' }),
    () =>
      post('key tricks', rpc('tools/list', {}), {
        'Content-Type': 'application/json',
        Authorization: pick([
          'Bearer',
          'Bearer ',
          'Basic eA==',
          `Bearer ${keys.good} x`,
          `Bearer\t${keys.good}`,
          `Token ${keys.good}`,
          'Bearer null',
          `Bearer ${'A'.repeat(9_000)}`,
        ]),
      }),
    () =>
      post('wrong Host', rpc('tools/list', {}), {
        ...json(keys.good),
        Host: pick([
          'evil.example',
          'localhost.evil.example',
          '127.0.0.1.nip.io',
          '169.254.169.254',
          'localhost@evil',
        ]),
      }),
    () =>
      post('wrong Origin', rpc('tools/list', {}), {
        ...json(keys.good),
        Origin: pick([
          'https://evil.example',
          'null',
          'file://',
          'http://localhost.evil.example',
          'chrome-extension://abc',
        ]),
      }),
    () =>
      post('wrong type', rpc('tools/list', {}), {
        ...json(keys.good),
        'Content-Type': pick([
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          'text/plain; application/json',
        ]),
      }),
    () =>
      post('compressed', rpc('tools/list', {}), {
        ...json(keys.good),
        'Content-Encoding': pick(['gzip', 'br', 'deflate, gzip']),
      }),
    () => ({
      kind: 'wrong method',
      method: pick(['GET', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'OPTIONS']),
      path: '/mcp',
      headers: json(keys.good),
    }),
    () => ({
      kind: 'path tricks over HTTP',
      method: 'GET',
      path: pick([
        '/../../etc/passwd',
        '/%2e%2e/%2e%2e/etc/passwd',
        '/..%5c..%5cx',
        '/.git/config',
        '/config.json',
        '//evil.example/x',
        '/mcp/../metrics',
        '/?x='.padEnd(6_000, 'y'),
        '/\u00e9',
        '/.well-known/oauth-authorization-server',
      ]).replace(/[^ -~]/g, '%E9'),
      headers: {},
    }),
    () => ({
      kind: 'metrics without right',
      method: 'GET',
      path: '/metrics',
      headers: json(pick([keys.good, keys.limited, keys.expired])),
    }),
    () => ({
      kind: 'health tricks',
      method: 'GET',
      path: `/health?${pick(['strict=1&strict=2', 'x'.repeat(4_000), '__proto__=1', 'strict[]=1'])}`,
      headers: {},
    }),
    () =>
      raw(
        'smuggled length',
        `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n`,
      ),
    () => raw('header flood', `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${'X-A: b\r\n'.repeat(3_000)}\r\n`),
    () =>
      raw('endless header', `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: ${'b'.repeat(40_000)}\r\n\r\n`),
    () =>
      raw(
        'not HTTP',
        pick(['\u0016\u0003\u0001\u0002', 'SSH-2.0-x\r\n', 'HELO x\r\n\r\n', '\u0000\u0000\u0000\r\n\r\n']),
      ),
    () =>
      raw(
        'bad chunk',
        `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.good}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n`,
      ),
    () =>
      raw(
        'body cut short',
        `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.good}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"jsonrpc":`,
      ),
    () => raw('no Host', 'GET /health HTTP/1.1\r\n\r\n'),
    () =>
      raw(
        'declared too large',
        `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.good}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n`,
      ),
  ];
  return Array.from({ length: count }, (_, at) => makers[at % makers.length]!());

  function raw(kind: string, text: string): Hostile {
    return { kind, method: '', path: '', headers: {}, raw: text };
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at += 1) value = at % 2 ? [value] : { a: value };
  return value;
}
