// The public entry of src/server: what commands and tests start it with.

export { startHttpServer, startStdioServer, type RunningServer } from './start.ts';
export type { HealthProbes, HttpSettings, ServerOptions } from './settings.ts';
export { runUntilStopped } from './process.ts';
