// Nouns of sentences that announce a list: what is listed, and whether those are parts of something.

const PART =
  'components? services? parts? modules? microservices containers processes layers subsystems pieces elements applications apps nodes planes controllers packages daemons binaries programs agents deployments pods sidecars';
const THING =
  'roles backends? stores providers options databases dependencies integrations plugins types kinds resources objects tools features drivers sources systems technologies libraries protocols crds repositories projects clients';
/** Lists of these hold no things. */
const IDEA =
  'benefits advantages patterns steps? reasons ways cases situations criteria conditions properties fields parameters settings states modes categories functions tasks purposes goals principles differences rules values arguments flags headers attributes labels phases stages items things topics sections guides links commands factors aspects limitations considerations scenarios strategies points actions operations information details examples questions responsibilities capabilities requirements characteristics changes errors';

const any = (words: string): RegExp => new RegExp(`^(?:${words.replaceAll(' ', '|')})$`);
const PARTS = any(PART);
const LISTED = any(`${PART} ${THING}`);
const IDEAS = any(IDEA);

export const isPart = (noun: string): boolean => PARTS.test(noun);
export const isListed = (noun: string): boolean => LISTED.test(noun);
export const isIdea = (noun: string): boolean => IDEAS.test(noun);
