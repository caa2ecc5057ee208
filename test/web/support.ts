// The page as a person meets it: the real command with a real store, and Debian's Chromium in front of it.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { sandbox, type Sandbox } from '../support/cli.ts';

const root = resolve(import.meta.dirname, '../..');
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const START_MS = 60_000;

export const WIDE = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  return named ?? PLACES.find((place) => existsSync(place));
}

export interface Site {
  origin: string;
  key: string;
  readOnlyKey: string;
  box: Sandbox;
  /** Ends the server; what it left stays until `close`. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** A server over a handbook of six files with its graph, in a home of its own. */
export async function startSite(options: { empty?: boolean; toolsets?: string } = {}): Promise<Site> {
  const box = sandbox();
  const vai = async (...args: string[]): Promise<string> => {
    const run = await box.run('vai', args);
    if (run.status !== 0) throw new Error(`vai ${args[0]} failed: ${run.stderr}`);
    return run.stdout;
  };
  if (!options.empty) {
    await vai('ingest', join(root, 'test/web/handbook'), '--collection', 'handbook');
    await vai('graph', 'build', 'handbook');
  }
  const key = await newKey(vai, 'read,write');
  const readOnlyKey = await newKey(vai, 'read');
  const child = spawn(
    process.execPath,
    [
      join(root, 'src/cli/bin/vai.ts'),
      ...['mcp-server', '--transport', 'http', '--port', '0'],
      ...(options.toolsets ? ['--toolsets', options.toolsets] : []),
    ],
    {
      cwd: box.folder,
      env: { PATH: process.env['PATH'], HOME: box.folder, VAI_HOME: box.home, BLZ_ALLOW_PRIVATE: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const origin = await listening(child);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    await gone;
  };
  return {
    origin,
    key,
    readOnlyKey,
    box,
    stop,
    async close() {
      await stop();
      box.remove();
    },
  };
}

async function newKey(vai: (...args: string[]) => Promise<string>, scopes: string): Promise<string> {
  const key = /vai-mcp-key-[0-9a-f]+/.exec(await vai('mcp-server', 'generate-key', '--scopes', scopes))?.[0];
  if (!key) throw new Error('no key was printed');
  return key;
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let text = '';
    const late = setTimeout(() => failed(new Error(`the server did not start: ${text}`)), START_MS);
    child.once('exit', () => failed(new Error(`the server ended: ${text}`)));
    child.stderr!.setEncoding('utf8').on('data', (part: string) => {
      if (text.length < 10_000) text += part;
      const port = /"port":(\d+)[^\n]*"msg":"listening"/.exec(text)?.[1];
      if (!port) return;
      clearTimeout(late);
      done(`http://127.0.0.1:${port}`);
    });
  });
}

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Console errors, uncaught exceptions and violations of the page's policy. */
  complaints: string[];
  /** Addresses asked for, without the origin; foreign ones whole. */
  asked: string[];
}

export interface VisitOptions {
  size?: { width: number; height: number };
  scheme?: 'light' | 'dark';
}

export async function visit(browser: Browser, site: Site, options: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: options.size ?? WIDE,
    colorScheme: options.scheme ?? 'light',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => asked.push(request.url().replace(site.origin, '')));
  await page.goto(`${site.origin}/`);
  return { page, context, complaints, asked };
}

export async function enter({ page }: Visit, key: string): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.locator('nav.nav').waitFor();
}
