// Terraform: resources and modules, and which of them a resource refers to. Blocks are found by their braces; values are
// looked through for references only.

import { nothing, relate, thing, type Declared, type ThingKind } from './declared.ts';

const BLOCK = /^(resource|module|data) +"([\w-]{1,80})"(?: +"([\w-]{1,80})")? *\{/;
const REFERENCE = /\b(module|data\.[a-z]\w{1,60}|[a-z]+_\w{1,60})\.([a-zA-Z_][\w-]{0,80})/g;

interface Resource {
  id: string;
  name: string;
  type: string;
  line: number;
}

export function readTerraform(text: string, startLine: number): Declared {
  const declared = nothing();
  const lines = text.split('\n', 20_000);
  const resources = new Map<string, Resource>();
  const references: { from: Resource; to: string; line: number }[] = [];
  let open: Resource | undefined;
  let depth = 0;
  lines.forEach((raw, index) => {
    const line = raw.slice(0, 1000);
    const number = startLine + index;
    const found = depth === 0 ? BLOCK.exec(line.trim()) : null;
    if (found) {
      const [, kind, type, name] = found;
      const own = name ?? type!;
      open = {
        id: kind === 'module' ? `module.${type}` : kind === 'data' ? `data.${type}.${own}` : `${type}.${own}`,
        name: own.replaceAll('_', '-'),
        type: kind === 'module' ? 'module' : type!,
        line: number,
      };
      if (kind !== 'data') resources.set(open.id, open);
    } else if (open && depth > 0)
      for (const reference of line.matchAll(REFERENCE))
        references.push({ from: open, to: `${reference[1]}.${reference[2]}`, line: number });
    for (const one of line) {
      if (one === '{') depth += 1;
      else if (one === '}') depth = Math.max(0, depth - 1);
    }
    if (depth === 0) open = undefined;
  });
  for (const resource of resources.values())
    thing(declared, { name: resource.name, kind: kindOf(resource.type), line: resource.line });
  for (const { from, to, line } of references) {
    const target = resources.get(to);
    if (target && target.name !== from.name)
      relate(declared, from.name, target.name, { kind: 'USES', line, keyword: target.type });
  }
  return declared;
}

function kindOf(type: string): ThingKind {
  if (
    /(?:^|_)(?:db|rds|sql|dynamodb|database|s3|bucket|elasticache|redis|storage|cosmosdb|bigquery|spanner|firestore|table)(?:_|$)/.test(
      type,
    )
  )
    return 'database';
  return /(?:^|_)(?:sqs|sns|queue|topic|kinesis|pubsub|eventhub|msk|mq)(?:_|$)/.test(type)
    ? 'queue'
    : 'service';
}
