// The clients on this machine: which of them are set up for vai, and whether the command they start still exists.

import { existsSync, readFileSync } from 'node:fs';
import { toVaiError } from '../../domain/errors.ts';
import { isObject, valueAt } from '../../domain/object.ts';
import type { Frame } from '../frame.ts';
import { thisMachine, type Client, type Machine } from '../setup/clients.ts';
import { ok, problem, warning, type Finding } from './finding.ts';

export async function checkClients(frame: Frame): Promise<Finding[]> {
  const machine = thisMachine(frame.env);
  const { chooseClients } = await import('../setup/plan.ts');
  const clients = chooseClients(machine, []);
  if (clients.length === 0) return [ok('clients', 'No MCP client was found in this home.')];
  return Promise.all(clients.map((client) => checkClient(client, machine)));
}

async function checkClient(client: Client, machine: Machine): Promise<Finding> {
  try {
    const entry = await entryOf(client, machine);
    if (!entry)
      return warning('clients', `${client.title} is not set up for vai yet.`, `vai setup ${client.id}`);
    const [command, ...args] = [entry.command ?? entry.cmd ?? [], entry.args ?? []].flat();
    const script = args.find((arg) => /[\\/]/.test(arg) && /\.[jt]s$/.test(arg));
    const missing = [command, script].find(
      (path) => path !== undefined && /^[/\\]|^[A-Z]:/.test(path) && !existsSync(path),
    );
    if (missing)
      return problem(
        'clients',
        `${client.title} starts vai from a path that no longer exists.`,
        `vai setup ${client.id}`,
      );
    return ok('clients', `${client.title} knows vai.`);
  } catch (thrown) {
    return problem('clients', toVaiError(thrown).message, `vai setup --print ${client.id}`);
  }
}

/** Clients write a command as one word with arguments, as a list, or as `cmd`. */
interface Entry {
  command?: string | string[];
  cmd?: string;
  args?: string[];
}

async function entryOf(client: Client, machine: Machine): Promise<Entry | undefined> {
  const file = client.file(machine);
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const { parseConfiguration } = await import('../setup/parse.ts');
  const entry = valueAt(parseConfiguration(client.format, text), client.path);
  return isObject(entry) ? entry : undefined;
}
