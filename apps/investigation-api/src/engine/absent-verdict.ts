/** What names a verdict. */
interface Pair {
  readonly subject_id: string;
  readonly predicate: string;
}

const PAIRS_MAX = 20;
/** Characters of the pairs together: ids and predicates may be as long as a body. */
const CHARACTERS_MAX = 4000;

/**
 * What to say about a verdict that is not there: which ones there are, one a line, as the JSON to ask with,
 * those on the same subject or predicate first.
 */
export function absentVerdict(verdicts: readonly Pair[], asked: Pair): string {
  const none = 'the last judgement has no verdict on this subject_id and predicate';
  if (verdicts.length === 0) return `${none}, nor on any other`;
  const unlike = (pair: Pair) =>
    Number(pair.subject_id !== asked.subject_id) + Number(pair.predicate !== asked.predicate);
  const lines: string[] = [];
  let characters = 0;
  for (const pair of verdicts.toSorted((a, b) => unlike(a) - unlike(b)).slice(0, PAIRS_MAX)) {
    const line = JSON.stringify({ subject_id: pair.subject_id, predicate: pair.predicate });
    characters += line.length;
    if (characters > CHARACTERS_MAX) break;
    lines.push(line);
  }
  const left = verdicts.length - lines.length;
  return [`${none}; it has verdicts on`, ...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}
