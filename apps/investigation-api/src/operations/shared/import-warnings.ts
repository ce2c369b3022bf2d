import { firstOf, isOne, quoted as quote, type Namesake } from '@platform/workbench/claims';

/** Warnings of one import, and the names that one of them lists. */
const WARNINGS_MAX = 20;
const NAMED_MAX = 5;
const SPELLINGS_MAX = 5;
const NOUNS = { actors: 'source', subjects: 'subject' } as const;
const FIELDS = { actors: 'actor_id', subjects: 'subject_id' } as const;
const MEANINGS = {
  actors: 'count as independent sources',
  subjects: 'are judged apart',
} as const;

/**
 * What a caller of an import should look at: what `replaced` says about items with the same ids, sources and
 * subjects with one name, which count as two unless they are taken as one, spellings of one property or
 * scope, which are judged apart, and items that may have been deleted since an earlier import of the file.
 */
export function importWarnings(
  namesakes: readonly Namesake[],
  {
    isOneByName,
    replaced,
    spellings,
    putBack,
  }: {
    readonly isOneByName: boolean;
    readonly replaced: readonly string[];
    readonly spellings: readonly string[];
    readonly putBack: readonly string[];
  },
): string[] {
  const spelled = spellings
    .slice(0, SPELLINGS_MAX)
    .map((words) => `${words}; use one of them if they mean the same.`);
  if (spellings.length > SPELLINGS_MAX)
    spelled.push(`Spellings of one property or scope: ${spellings.length - SPELLINGS_MAX} more.`);
  const named = namesakes.slice(0, WARNINGS_MAX - 2 - replaced.length - spelled.length);
  const words = [
    ...replaced,
    ...named.map((one) => (isOne(one) && isOneByName ? takenAs(one) : stayApart(one))),
  ];
  const left = namesakes.length - named.length;
  if (left > 0) words.push(`Names that others have, too: ${left} more.`);
  words.push(...spelled);
  if (putBack.length > 0) {
    words.push(
      `Other items of the file were in the session already, and these were not: ${firstOf(putBack, quote)}. If they had been deleted, the file puts them back.`,
    );
  }
  return words;
}

const takenAs = ({ kind, id, name, names, others }: Namesake) =>
  `The ${NOUNS[kind]} ${quote(id)} of the file, ${quote(name)}, was taken as ${quote(others[0]!)}, which ${names.length === 1 ? 'has its name' : `is called ${quote(names[0]!)}`}.`;

/** That sources or subjects have one name and stay apart, and how they become one. */
function stayApart(namesake: Namesake): string {
  const { kind, id, names, others, isThere } = namesake;
  const all = [...others.slice(0, NAMED_MAX - 1), id].map(quote).join(' and ');
  const called = `The ${NOUNS[kind]}s ${all} are called ${names.slice(0, NAMED_MAX).map(quote).join(' or ')} and ${MEANINGS[kind]}`;
  if (isOne(namesake)) return `${called}; same_names=one takes them as one.`;
  return isThere
    ? `${called}, all of them in the session; if they are one, give their claims one ${FIELDS[kind]} and delete the others.`
    : `${called}; ${quote(id)} may be any of the others, so give its claims the ${FIELDS[kind]} of the one that is meant.`;
}
