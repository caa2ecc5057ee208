// English function words: left out of ranked OR, where they cost much and say little. Only words that no one searches
// for by themselves; a query made of nothing else is searched as it stands.

const LIST =
  'a about above after again all also am an and any are as at be because been before being below between both but by ' +
  'can could did do does doing down during each few for from further had has have having he her here hers him his how i if ' +
  'in into is it its itself just me more most my no nor not of off on once only or other our ours out over own same she ' +
  'should so some such than that the their theirs them then there these they this those through to too under until up ' +
  'very was we were what when where which while who whom why will with would you your yours';

export const STOPWORDS: ReadonlySet<string> = new Set(LIST.split(' '));
