// Colours for code, in one pass over a line: comments, strings, numbers and the words most languages reserve. It knows no
// grammar, so it never disagrees with one; a line it misreads is only coloured oddly.

export type Tint = 'comment' | 'string' | 'number' | 'keyword' | '';

export interface Tinted {
  text: string;
  tint: Tint;
}

const KEYWORDS = new Set(
  (
    'abstract and as assert async await break case catch class const continue def default defer del do elif else end enum ' +
    'except export extends false final finally fn for from func function go if impl implements import in include interface ' +
    'is lambda let loop match mod module mut namespace new nil none not null or package pass private protected pub public ' +
    'raise readonly return select self static struct super switch then this throw throws trait true try type typedef union ' +
    'unless until use using val var void when where while with yield'
  ).split(' '),
);

/** Languages whose comments begin with `#`; elsewhere that mark is a private field, an anchor or a directive. */
const HASH =
  /^(?:py|python|rb|ruby|sh|bash|shell|zsh|console|ya?ml|toml|ini|conf|dockerfile|makefile|r|pl|nix|tf)$/;
const DASHES = /^(?:sql|lua|hs|haskell|ada|elm)$/;
const TOKEN =
  /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?|\d[\w.]*|[A-Za-z_$][\w$]*|\/\/|\/\*|#|--/g;

/** One tinter per block of code: it remembers whether a comment is still open. */
export function tinter(language: string): (line: string) => Tinted[] {
  const hash = HASH.test(language);
  const dashes = DASHES.test(language);
  let open = false;
  return (line) => {
    const parts: Tinted[] = [];
    let at = 0;
    const add = (end: number, tint: Tint): void => {
      if (end > at) parts.push({ text: line.slice(at, end), tint });
      at = end;
    };
    const comment = (from: number): void => {
      add(from, '');
      const close = line.indexOf('*/', from);
      open = close === -1;
      add(open ? line.length : close + 2, 'comment');
    };
    if (open) comment(0);
    TOKEN.lastIndex = at;
    for (let match = TOKEN.exec(line); match; match = TOKEN.exec(line)) {
      const [token] = match;
      const ends =
        token === '//'
          ? !hash && line[match.index - 1] !== ':'
          : token === '#'
            ? hash
            : token === '--' && dashes;
      if (token === '/*' && !hash) {
        comment(match.index);
        TOKEN.lastIndex = at;
      } else if (ends) {
        add(match.index, '');
        add(line.length, 'comment');
        break;
      } else {
        const tint = tintOf(token);
        if (tint) {
          add(match.index, '');
          add(match.index + token.length, tint);
        }
      }
    }
    add(line.length, '');
    return parts;
  };
}

function tintOf(token: string): Tint {
  if (/^["'`]/.test(token)) return 'string';
  if (/^\d/.test(token)) return 'number';
  return KEYWORDS.has(token) ? 'keyword' : '';
}
