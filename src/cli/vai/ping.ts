// vai ping: provider, store and MCP server, free of charge unless a real call is asked for.

import type { Command } from 'commander';
import type { PingReport } from '../../engine/ping.ts';
import type { Frame } from '../frame.ts';
import type { RunningServer } from '../serve/status.ts';

export function registerPing(program: Command, frame: Frame): void {
  program
    .command('ping')
    .description('check the model providers, the store and the MCP server')
    .option('--call', 'make one real call to the provider (costs a few tokens)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai ping\n  $ vai ping --call --json')
    .action((options: { call?: boolean; json?: boolean }) => run(frame, options));
}

async function run(frame: Frame, options: { call?: boolean; json?: boolean }): Promise<void> {
  const { home, port } = await frame.settings();
  const engine = await frame.engine();
  const { describeRunning, findServers } = await import('../serve/status.ts');
  const [report, servers] = await Promise.all([
    engine.ping.run(frame.call(), { paid: options.call ?? false }),
    findServers(home, port),
  ]);
  const down = whatIsDown(report, servers);
  const mcpServer = { running: servers.length > 0, servers: servers.map(serverRecord) };
  if (frame.wantsJson(options)) frame.printJson({ ...report, mcpServer, down });
  else frame.print(describe(frame, report, servers.map(describeRunning)));
  if (down.length > 0) frame.fail(5);
}

/** What was configured or started, and does not answer as it should. */
function whatIsDown({ store, provider, providers }: PingReport, servers: readonly RunningServer[]): string[] {
  const bad = providers.filter(({ state }) => state === 'unauthorized' || state === 'unreachable');
  const failed = provider.call?.ok === false && !bad.some(({ id }) => id === provider.name);
  return [
    ...(store.state === 'connected' ? [] : ['store']),
    ...bad.map(({ id }) => id),
    ...(failed ? [provider.name] : []),
    ...servers.filter(({ health }) => !health).map(({ port }) => `mcp-server on port ${port}`),
  ];
}

function serverRecord({ port, pid, health }: RunningServer) {
  return {
    transport: 'http',
    port,
    ...(pid === undefined ? {} : { pid }),
    ...(health ? { version: health.version, status: health.status } : { status: 'does not answer' }),
  };
}

function describe(frame: Frame, report: PingReport, servers: readonly string[]): string {
  const { green: good, red: bad, yellow } = frame.terminal;
  const { provider, store } = report;
  const lines = [
    `vai ${report.version}`,
    `Models: ${provider.embedding} and ${provider.rerank}`,
    ...report.providers.map(
      ({ title, state }) => `${title}: ${state === 'connected' ? good(state) : bad(state)}`,
    ),
  ];
  if (report.providers.length === 0) lines.push('Providers: none configured; nothing leaves this machine');
  if (provider.call) {
    const { ok, timeMs, tokens, error } = provider.call;
    lines.push(
      ok
        ? `  real call ${good('succeeded')} in ${timeMs} ms (${tokens} tokens)`
        : `  real call ${bad('failed')}: ${error}`,
    );
  }
  for (const warning of report.warnings) lines.push(yellow(warning));
  const state = store.state === 'connected' ? good(store.state) : bad(store.state);
  lines.push(
    `Store: ${store.kind}, database ${store.database}, ${state}${store.error ? `: ${store.error}` : ''}`,
    ...(store.about ? [`  ${store.about}`] : []),
  );
  if (servers.length === 0)
    lines.push('MCP server: none over http; clients start `vai mcp-server` themselves (stdio)');
  for (const server of servers) lines.push(`MCP server: ${server}`);
  return lines.join('\n');
}
