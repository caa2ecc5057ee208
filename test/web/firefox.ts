// Firefox over WebDriver BiDi, which it speaks by itself: no driver program, no patched browser.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tempFolder } from '../support/temp-folder.ts';

const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

export function findFirefox(): string | undefined {
  return process.env['FIREFOX_PATH'] ?? PLACES.find((place) => existsSync(place));
}

export interface Firefox extends AsyncDisposable {
  open(url: string): Promise<void>;
  /** The value of an expression, awaited where it is a promise. */
  evaluate(expression: string): Promise<unknown>;
  /** Until the expression is true. */
  until(expression: string): Promise<void>;
  /** Console errors and uncaught exceptions so far. */
  complaints: string[];
}

interface Message {
  id?: number;
  method?: string;
  type?: string;
  result?: Record<string, unknown>;
  params?: { level?: string; text?: string };
  message?: string;
}

export async function startFirefox(executable: string): Promise<Firefox> {
  const profile = tempFolder('firefox');
  const child = spawn(
    executable,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile, MOZ_HEADLESS: '1' } },
  );
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const address = await new Promise<string>((done, failed) => {
    let text = '';
    child.once('exit', () => failed(new Error(`Firefox ended: ${text.slice(-500)}`)));
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text)?.[1];
      if (found) done(found);
    });
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((done, failed) => {
    socket.addEventListener('open', done, { once: true });
    socket.addEventListener('error', () => failed(new Error('Firefox does not answer')), { once: true });
  });
  const waiting = new Map<number, (message: Message) => void>();
  const complaints: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.method === 'log.entryAdded' && message.params?.level === 'error')
      complaints.push(message.params.text ?? 'an error without words');
  });
  let last = 0;
  const send = (method: string, params: object): Promise<Record<string, unknown>> =>
    new Promise((done, failed) => {
      const id = ++last;
      waiting.set(id, (message) => {
        waiting.delete(id);
        if (message.type === 'error') failed(new Error(`${method}: ${message.message}`));
        else done(message.result ?? {});
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { context } = await send('browsingContext.create', { type: 'tab' });
  const evaluate = async (expression: string): Promise<unknown> => {
    const answer = (await send('script.evaluate', {
      ...{ expression, target: { context }, awaitPromise: true, resultOwnership: 'none' },
    })) as { result?: { value?: unknown }; exceptionDetails?: { text: string } };
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text);
    return answer.result?.value;
  };
  return {
    complaints,
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate,
    async until(expression) {
      // A busy machine may take its time: the limit only ends what would never come.
      await evaluate(`new Promise((done, failed) => {
        const end = performance.now() + 60000;
        const look = () => {
          if (${expression}) done(true);
          else if (performance.now() > end) failed(new Error('never true: ' + ${JSON.stringify(expression)}));
          else setTimeout(look, 20);
        };
        look();
      })`);
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
