// The two steps of signing in through the issuer, as a browser sees them: a redirect to the issuer, and the return,
// which sets a cookie for the person it vouched for. The page shows that something went wrong; the log says why.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import type { OAuth } from '../oauth/oauth.ts';
import type { PageSignIn } from '../oauth/page-sign-in.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import { cookieSecret, signedInCookie } from './guards/cookie.ts';
import { SECURITY_HEADERS } from './reply.ts';

const SIGNED_IN = '/#/signed-in';
const FAILED = '/#/sign-in-failed';
const NO_ACCESS = '/#/sign-in-failed?no-access';

export async function beginAtIssuer(page: PageSignIn, response: ServerResponse, log: Log): Promise<void> {
  try {
    const { location, cookie } = await page.begin();
    redirect(response, location, [cookie]);
  } catch (error) {
    log.warn('sign-in through the issuer is not possible', { message: messageOf(error) });
    redirect(response, FAILED, []);
  }
}

export async function returnFromIssuer(
  { oauth, page, signIns, log }: { oauth: OAuth; page: PageSignIn; signIns: SignIns; log: Log },
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  query: string,
): Promise<void> {
  const { cookie: header } = request.headers;
  const back = (location: string, cookies: string[] = []): void =>
    redirect(response, location, [page.over, ...cookies]);
  try {
    const verdict = oauth.admit(await page.end(new URLSearchParams(query), header));
    if (!verdict.ok) {
      log.warn('a sign-in through the issuer was refused', { reason: verdict.reason });
      return back(verdict.status === 403 ? NO_ACCESS : FAILED);
    }
    const before = cookieSecret(header);
    if (before !== undefined) signIns.signOut(before);
    const { key, holder } = verdict;
    const seconds = Math.max(0, Math.floor((holder.expires - Date.now()) / 1000));
    back(SIGNED_IN, [signedInCookie(signIns.signIn(key.id, holder), page.secure, seconds)]);
  } catch (error) {
    log.warn('the issuer returned no identity', { message: messageOf(error) });
    back(FAILED);
  }
}

function redirect(response: ServerResponse, location: string, cookies: string[]): void {
  response
    .writeHead(302, {
      ...SECURITY_HEADERS,
      'Referrer-Policy': 'no-referrer',
      Location: location,
      ...(cookies.length > 0 ? { 'Set-Cookie': cookies } : {}),
    })
    .end();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'unknown';
}
