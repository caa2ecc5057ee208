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
  pattern: string;
}

const MAX_TEXT = 500_000;
const MAX_RULES = 2000;
const MAX_PATTERN = 200;
const MAX_DELAY = 10;

/** The group that names us, or else the one for everybody. */
export function readRobots(text: string, product: string): Robots {
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
      agents.push(value.toLowerCase());
    } else if (field === 'allow' || field === 'disallow' || field === 'crawl-delay') {
      naming = false;
      for (const agent of agents) {
        const group = groups.get(agent) ?? { rules: [], delay: 0 };
        groups.set(agent, group);
        if (field === 'crawl-delay') group.delay = Math.min(MAX_DELAY, Math.max(0, Number(value) || 0));
        else if (value !== '' && value.length <= MAX_PATTERN && group.rules.length < MAX_RULES)
          group.rules.push({ allow: field === 'allow', pattern: value });
      }
    }
  }
  const { rules, delay } = groups.get(product) ?? groups.get('*') ?? { rules: [], delay: 0 };
  return { delay, sitemaps, allows: (url) => isAllowed(rules, url.pathname + url.search) };
}

/** The longest pattern that fits decides; where two are as long, the one that allows. */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let longest = -1;
  let allowed = true;
  for (const { allow, pattern } of rules) {
    if (pattern.length < longest || (pattern.length === longest && !allow)) continue;
    if (!fits(pattern, path)) continue;
    longest = pattern.length;
    allowed = allow;
  }
  return allowed;
}

/** `*` stands for anything, a `$` at the end for the end. */
function fits(pattern: string, path: string): boolean {
  const whole = pattern.endsWith('$');
  const [first = '', ...rest] = (whole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    if (whole && index === rest.length - 1) return path.endsWith(part) && path.length - part.length >= at;
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return !whole || at === path.length;
}
