// The frame of a command for tests that run none: what loads toolsets and composes parts asks it for settings.

import { createFrame } from '../../src/cli/frame.ts';

export function testFrame(cwd: string, env: Record<string, string>) {
  const streams = { stdout: process.stderr, stderr: process.stderr, stdin: process.stdin };
  const input = { name: 'vai', env, cwd, streams, uriChoosesStore: true };
  return createFrame(input, new AbortController().signal);
}
