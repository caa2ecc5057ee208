// What a site asks of programs that read it (RFC 9309): which paths, how often, and where its sitemaps are. Pure; patterns
// are matched by code of our own, in linear time.

export interface Robots {
  allows(url: URL): boolean;
  /** Seconds between two requests, where the site asks for them. */
  delay: number;
  sitemaps: string[];
}

interface Rule {
  allow: boolean;
  /** Of the pattern: the longest that fits decides. */
  length: number;
  /** What stands between its stars. */
  parts: string[];
  /** It ends where the path ends. */
  whole: boolean;
}

const MAX_TEXT = 500_000;
const MAX_RULES = 2000;
const MAX_PATTERN = 200;
/** What follows so many stars is not looked at: no site needs it, and all rules are tried on all addresses. */
const MAX_STARS = 8;
const MAX_DELAY = 10;

/** The group that names us, or else the one for everybody. */
export function readRobots(text: string, product: string): Robots {
  const ours = product.toLowerCase();
  const groups = new Map<string, { rules: Rule[]; delay: number }>();
  const sitemaps: string[] = [];
  let agents: string[] = [];
  let naming = false;
  for (const line of text.slice(0, MAX_TEXT).split(/\r\n|\r|\n/)) {
    const plain = line.split('#', 1)[0]!;
    const colon = plain.indexOf(':');
    if (colon === -1) continue;
    const field = plain.slice(0, colon).trim().toLowerCase();
    const value = plain.slice(colon + 1).trim();
    if (field === 'sitemap') {
      if (sitemaps.length < 50) sitemaps.push(value);
    } else if (field === 'user-agent') {
      if (!naming) agents = [];
      naming = true;
      // Rules for other crawlers are skipped: there may be any number of them.
      const agent = value.toLowerCase();
      if ((agent === ours || agent === '*') && !agents.includes(agent)) agents.push(agent);
    } else if (field === 'allow' || field === 'disallow' || field === 'crawl-delay') {
      naming = false;
      for (const agent of agents) {
        const group = groups.get(agent) ?? { rules: [], delay: 0 };
        groups.set(agent, group);
        if (field === 'crawl-delay') group.delay = Math.min(MAX_DELAY, Math.max(0, Number(value) || 0));
        else if (value !== '' && value.length <= MAX_PATTERN && group.rules.length < MAX_RULES)
          group.rules.push(ruleOf(field === 'allow', value));
      }
    }
  }
  const { rules, delay } = groups.get(ours) ?? groups.get('*') ?? { rules: [], delay: 0 };
  return { delay, sitemaps, allows: (url) => isAllowed(rules, url.pathname + url.search) };
}

/** The longest pattern that fits decides; where two are as long, the one that allows. */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let longest = -1;
  let allowed = true;
  for (const rule of rules) {
    const { allow, length } = rule;
    if (length < longest || (length === longest && !allow)) continue;
    if (!fits(rule, path)) continue;
    longest = length;
    allowed = allow;
  }
  return allowed;
}

/** `*` stands for anything, a `$` at the end for the end. */
function ruleOf(allow: boolean, pattern: string): Rule {
  const whole = pattern.endsWith('$');
  const all = (whole ? pattern.slice(0, -1) : pattern).split(/\*+/);
  const parts = all.slice(0, MAX_STARS + 1);
  return { allow, length: pattern.length, parts, whole: whole && parts.length === all.length };
}

function fits({ parts, whole }: Rule, path: string): boolean {
  const first = parts[0]!;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (let index = 1; index < parts.length; index++) {
    const part = parts[index]!;
    if (whole && index === parts.length - 1) return path.endsWith(part) && path.length - part.length >= at;
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return !whole || at === path.length;
}
