// The page as a person meets it: the real command with a real store, and Debian's Chromium in front of it.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { sandbox, type Sandbox } from '../support/cli.ts';
import { newKey, served } from '../support/served.ts';

const root = resolve(import.meta.dirname, '../..');
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

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
  adminKey: string;
  box: Sandbox;
  /** Ends the server; what it left stays until `close`. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** A server over a handbook of six files with its graph, in a home of its own. */
export async function startSite(
  options: { empty?: boolean; toolsets?: string; env?: Record<string, string> } = {},
): Promise<Site> {
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
  const readOnlyKey = await newKey(box, 'read');
  const adminKey = await newKey(box, 'read,write,admin', ['--name', 'owner']);
  const server = await served({
    box,
    args: ['mcp-server', ...(options.toolsets ? ['--toolsets', options.toolsets] : [])],
    env: { BLZ_ALLOW_PRIVATE: '1', ...options.env },
  });
  return {
    origin: server.url,
    ...{ key: server.key, readOnlyKey, adminKey, box },
    async stop() {
      await server.stop();
    },
    async close() {
      await server.stop();
      box.remove();
    },
  };
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
  // For what never comes; a busy machine takes its time.
  context.setDefaultTimeout(60_000);
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

/** The form for one kind of thing to add. */
export async function openAdd(page: Page, kind: string): Promise<void> {
  await shortcut(page, '3');
  const link = page.getByRole('navigation', { name: 'What to add' }).getByRole('link', { name: kind });
  await link.click();
  // Until its form is there, another one is, with fields of the same names.
  await link.and(page.locator('[aria-current]')).waitFor();
}

/** The search box has the focus after the key was entered; Escape gives the keys back. */
export async function shortcut(page: Page, key: string): Promise<void> {
  await page.locator('#query').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press(key);
}
