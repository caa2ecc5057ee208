// What the rest of the house may use of the server.

export { startHttpServer, startStdioServer, type HttpFixtures, type RunningServer } from './start.ts';
export type { HealthProbes, HttpSettings, ProbeState, ServerOptions } from './settings.ts';
export { runUntilStopped } from './process.ts';
export { aboutOf } from './protocol/introduction.ts';
