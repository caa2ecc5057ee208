// vai ping: provider, store and MCP server, free of charge unless a real call is asked for.

import type { Command } from 'commander';
import type { PingReport } from '../../engine/ping.ts';
import type { Frame } from '../frame.ts';

export function registerPing(program: Command, frame: Frame): void {
  program
    .command('ping')
    .description('check the model provider, the store and the MCP server')
    .option('--call', 'make one real call to the provider (costs a few tokens)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai ping\n  $ vai ping --call --json')
    .action((options: { call?: boolean; json?: boolean }) => run(frame, options));
}

async function run(frame: Frame, options: { call?: boolean; json?: boolean }): Promise<void> {
  const settings = await frame.settings();
  const engine = await frame.engine();
  const [report, servers] = await Promise.all([
    engine.ping.run(frame.call(), { paid: options.call ?? false }),
    runningServers(settings.home),
  ]);
  const mcpServer = { running: servers.length > 0, servers };
  if (frame.wantsJson(options)) frame.printJson({ ...report, mcpServer });
  else frame.print(describe(frame, report, servers));
  const failed = report.store.state !== 'connected' || report.provider.call?.ok === false;
  if (failed || report.providers.some(({ state }) => state === 'unauthorized')) frame.fail(5);
}

async function runningServers(home: string) {
  const [{ listRunning }, { withHealth }] = await Promise.all([
    import('../serve/daemon.ts'),
    import('../serve/status.ts'),
  ]);
  const found = await withHealth(listRunning(home));
  return found.map(({ port, pid, health }) => ({
    transport: 'http',
    port,
    pid,
    ...(health ? { version: health.version, status: health.status } : { status: 'does not answer' }),
  }));
}

function describe(
  frame: Frame,
  report: PingReport,
  servers: Awaited<ReturnType<typeof runningServers>>,
): string {
  const { terminal } = frame;
  const { provider, store } = report;
  const good = (text: string): string => terminal.green(text);
  const bad = (text: string): string => terminal.red(text);
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
  for (const warning of report.warnings) lines.push(terminal.yellow(warning));
  const state = store.state === 'connected' ? good(store.state) : bad(store.state);
  lines.push(
    `Store: ${store.kind}, database ${store.database}, ${state}${store.error ? `: ${store.error}` : ''}`,
    ...(store.about ? [`  ${store.about}`] : []),
  );
  if (servers.length === 0)
    lines.push('MCP server: no background server; clients start `vai mcp-server` themselves (stdio)');
  for (const server of servers)
    lines.push(
      `MCP server: running on port ${server.port} (${server.transport}, pid ${server.pid}, ${server.status}${'version' in server ? `, version ${server.version}` : ''})`,
    );
  return lines.join('\n');
}
