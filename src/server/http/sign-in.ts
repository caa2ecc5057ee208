// Signs a browser in and out. It comes with the code of a one-time link, or with a key that it wants to keep; it leaves
// with a cookie that stands for that key. Whatever cookie it came with is not taken over.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Holder } from '../oauth/verify.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import type { Authenticated } from './authenticate.ts';
import { parseBody, readBody } from './guards/body.ts';
import { cookieSecret, signedInCookie, signedOutCookie } from './guards/cookie.ts';
import { checkMediaType } from './guards/media-type.ts';
import { refuse, type Refusal, type Verdict } from './guards/verdict.ts';
import { sendJson } from './reply.ts';

const MAX_BODY = 1_024;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The client's side is encrypted, so the cookie must never travel otherwise. */
  secure: boolean;
}

/** A refusal when it did not work. */
export async function serveSignIn(
  signIns: SignIns,
  { request, response, secure }: Exchange,
  authenticate: () => Promise<Authenticated>,
): Promise<Refusal | undefined> {
  const before = cookieSecret(request.headers.cookie);
  if (request.method === 'DELETE') {
    if (before !== undefined) signIns.signOut(before);
    sendJson(response, 200, { signedIn: false }, { 'Set-Cookie': signedOutCookie(secure) });
    return undefined;
  }
  const key = await keyOf(signIns, request, authenticate);
  if (!key.ok) return key;
  if (before !== undefined) signIns.signOut(before);
  const cookie = signedInCookie(signIns.signIn(key.id, key.holder), secure);
  sendJson(response, 200, { signedIn: true, key: key.id }, { 'Set-Cookie': cookie });
  return undefined;
}

async function keyOf(
  signIns: SignIns,
  request: IncomingMessage,
  authenticate: () => Promise<Authenticated>,
): Promise<Verdict<{ id: string; holder?: Holder }>> {
  const media = checkMediaType(request.headers['content-type'], request.headers['content-encoding']);
  if (!media.ok) return media;
  const body = await readBody(request, MAX_BODY);
  const parsed = body.ok ? parseBody(body.text) : body;
  if (!parsed.ok) return parsed;
  if (request.headers.authorization !== undefined) {
    const verdict = await authenticate();
    if (!verdict.ok) return verdict;
    const { key, holder } = verdict;
    return { ok: true, id: key.id, ...(holder ? { holder } : {}) };
  }
  const code = (parsed.value as { code?: unknown } | null)?.code;
  const id = typeof code === 'string' ? signIns.useLink(code) : undefined;
  if (id !== undefined) return { ok: true, id };
  return refuse(401, 'used link', 'This link was used before or has expired.', {
    hint: 'Create a new one with `vai mcp-server sign-in-link`.',
  });
}
