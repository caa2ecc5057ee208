// The function words of English.

const set = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const DETERMINER = set(
  'a an the this that these those each every any all some no my our your its their his her thy thine both either neither another such many most several few much more other multiple various certain one two three four five six seven eight nine ten whose',
);
export const PREPOSITION = set(
  'of in on at for from by with without within into onto inside outside over under between among amongst through throughout across via per about against around behind below beneath above along alongside toward towards upon beyond near off out up down like unlike as than during before after until till except beside besides despite plus atop including excluding underneath amid amidst regarding concerning versus vs aboard notwithstanding',
);
export const CONJUNCTION = set('and or nor but & then plus / yet');
/** Words that open a clause which says when, why or under what condition. */
export const SUBORDINATOR = set(
  'if unless whether when whenever while where wherever how because since although though whereas once so lest until before after as',
);
export const CONDITION = set('if unless whether suppose assuming provided');
export const RELATIVE = set('which that who whom whose');
export const PRONOUN = set(
  'it they them he him she we us me you i one thou thee ye mine ours yours hers theirs itself himself herself themselves ourselves yourself yourselves myself oneself thyself this these those everything something anything nothing everyone someone anyone everybody somebody anybody nobody',
);
export const MODAL = set('can could may might must shall should will would cannot ought');
/** Modals that leave open whether something is true. */
export const WISH = set('could might should would shall ought');
export const BE = set('is are was were be been being am');
export const HAVE = set('has have had having');
export const DO = set('do does did');
export const NEGATION = set("not never no neither nor without cannot hardly n’t n't nothing none");
export const ADVERB = set(
  'also then now only just even still already always often usually sometimes typically currently generally instead rather however therefore thus hence too again once here there first finally simply internally automatically directly very quite almost together further later soon well back away else both in-memory ahead apart so yet either itself themselves each afterwards afterward beforehand elsewhere everywhere anywhere somewhere nowhere anyway altogether perhaps maybe meanwhile moreover furthermore nevertheless nonetheless otherwise likewise ever twice aside forth alike please',
);
/** Adjectives that describe a noun and are not part of a name. */
export const MODIFIER = set(
  'new old single main same own specific simple small big large private public primary secondary standalone stateless stateful remote raw entire whole custom optional persistent shared virtual physical incoming outgoing upstream downstream underlying third-party open-source default existing next previous following last first second third fourth additional particular real-time real different separate own full valid regular standard normal typical usual common special several numerous necessary possible required available unique free safe long short low higher lower same-named dedicated current modern legacy actual overall respective corresponding relevant appropriate important key major minor basic core central per-tenant per-node self-hosted cloud-native high-level low-level long-running long-term short-lived up-to-date read-only read-write in-memory on-disk built-in built end-to-end fine-grained responsible capable aware',
);
export const NUMBER =
  /^(?:\d[\d.,]*|zero|one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|million)$/;

/** All of these but modifiers: a word that is none of them is a noun, a verb, an adjective or a number. */
export const FUNCTION_WORD: ReadonlySet<string> = new Set([
  'to',
  ...[DETERMINER, PREPOSITION, CONJUNCTION, SUBORDINATOR, RELATIVE, PRONOUN, MODAL, BE, HAVE, DO].flatMap(
    (words) => [...words],
  ),
  ...NEGATION,
  ...ADVERB,
]);
