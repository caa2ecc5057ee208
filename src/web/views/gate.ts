// The way in: a link that was opened, a browser that is signed in already, or a key.

import { field, form, h, replace } from '../core/dom.ts';
import { icon } from '../core/icons.ts';
import { connect, hasIssuer, ServerError, signIn, type Server, type Session } from '../core/server.ts';
import { errorBox, withCode } from '../parts/notice.ts';

export interface Connection {
  server: Server;
  tools: ReadonlySet<string>;
  session: Session;
}

export interface GateOptions {
  onOpen: (connection: Connection) => void;
  onRefused: (error: ServerError) => void;
}

/** Only that a sign-in may exist, so that a stranger's first visit asks nothing in vain. */
const REMEMBERED = 'vai-signed-in';

const codeInAddress = (): string | undefined => /^#\/sign-in\?code=([\w-]+)$/.exec(location.hash)?.[1];

/** A link pasted into a tab that shows the page already changes only the hash: it is opened as in a new tab. */
export function followPastedLinks(): void {
  addEventListener('hashchange', () => {
    if (codeInAddress()) location.reload();
  });
}

/** Opens by link or by cookie where there is one; else, and when that fails, the form is shown. */
export async function enter(place: HTMLElement, options: GateOptions): Promise<void> {
  const code = codeInAddress();
  try {
    fromIssuer();
    if (code) {
      history.replaceState(null, '', '#/search');
      await signIn({ code });
      remember(true);
    }
    if (!remembered()) return replace(place, gate(options));
    await open(options);
  } catch (error) {
    remember(false);
    replace(place, gate(options, error));
  }
}

/** Back from the issuer: the cookie is there, or the reason why not. */
function fromIssuer(): void {
  const [, failed, noAccess] = /^#\/(?:signed-in|(sign-in-failed)(\?no-access)?)$/.exec(location.hash) ?? [];
  if (!/^#\/sign(ed-in|-in-failed)/.test(location.hash)) return;
  history.replaceState(null, '', '#/search');
  if (!failed) return remember(true);
  throw new ServerError(
    noAccess ? 'Your account is not allowed to use this server.' : 'Signing in did not work.',
    { hint: noAccess ? 'Ask its owner to let you in.' : 'Try again; the log of the server says more.' },
  );
}

async function open({ onOpen, onRefused }: GateOptions, key?: string): Promise<void> {
  const server = connect({ key, onRefused });
  const [tools, session] = await Promise.all([server.tools(), server.admin<Session>('session')]);
  onOpen({ server, tools, session });
}

/** The form, with what went wrong before. */
export function gate(options: GateOptions, before?: unknown): HTMLElement {
  const key = h('input', {
    class: 'key-input',
    attrs: {
      type: 'password',
      required: true,
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: 'vai-mcp-key-…',
    },
  });
  const stay = h('input', { attrs: { type: 'checkbox', checked: true } });
  const submit = h('button', { class: 'primary', attrs: { type: 'submit' } }, 'Sign in');
  const message = h('div', {}, before === undefined ? null : errorBox(before));
  const issuer = h('div');
  void hasIssuer().then((there) => {
    if (there)
      replace(
        issuer,
        h('a', { class: 'primary', attrs: { href: '/sign-in/issuer' } }, 'Sign in with your organisation'),
      );
  });

  async function submitted(): Promise<void> {
    submit.disabled = true;
    replace(message);
    const given = key.value.trim();
    try {
      if (stay.checked) {
        await signIn({ key: given });
        remember(true);
        await open(options);
      } else await open({ ...options, onRefused: () => undefined }, given);
      key.value = '';
    } catch (error) {
      replace(message, errorBox(error));
      key.select();
    } finally {
      submit.disabled = false;
    }
  }

  const element = form(
    { class: 'gate', attrs: { 'aria-labelledby': 'gate-title' } },
    () => void submitted(),
    h('h1', { id: 'gate-title' }, 'Open your knowledge base'),
    h('p', {}, 'See what your agents see: search it, read around every citation, watch it grow.'),
    issuer,
    field('Key', key),
    h('label', { class: 'check' }, stay, 'Stay signed in on this browser for 30 days'),
    message,
    submit,
    h(
      'p',
      { class: 'hint' },
      icon('lock'),
      withCode(' No key at hand? Open the link that `npm start` or `vai mcp-server sign-in-link` prints.'),
    ),
  );
  requestAnimationFrame(() => key.focus());
  return element;
}

export function remember(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(REMEMBERED, '1');
    else localStorage.removeItem(REMEMBERED);
  } catch {
    // Storage may be forbidden; a reload then asks again.
  }
}

function remembered(): boolean {
  try {
    return localStorage.getItem(REMEMBERED) === '1';
  } catch {
    return false;
  }
}
