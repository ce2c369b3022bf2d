import type { Problems } from './invalid-investigation.ts';
import { quote } from './quote.ts';
import { parseTime } from './timestamp.ts';
import { fold } from './unknown-word.ts';

/** An object of the input as read so far. */
export type Read = Record<string, unknown>;

type List = readonly (Read | null)[];

/**
 * Checks what no single field shows: unique ids, references that must name something, one of subject and
 * target, events that end after they start, meta-claims that form no cycle. Fields of wrong type were
 * reported before and are passed over here. Source: reasoning model §2.
 */
export function checkReferences(read: Read, problems: Problems): void {
  const actors = idsOf(read, 'actors', problems);
  const subjects = idsOf(read, 'subjects', problems);
  const claims = idsOf(read, 'claims', problems);
  idsOf(read, 'evidence', problems);
  idsOf(read, 'inferences', problems);
  idsOf(read, 'distinctions', problems);

  const foldedIds = new Map<ReadonlyMap<string, number>, Map<string, string>>();
  /** The id that differs from this one in case, spaces, hyphens and underscores alone. */
  const spelledAlike = (id: string, ids: ReadonlyMap<string, number>) => {
    let folded = foldedIds.get(ids);
    if (folded === undefined) {
      folded = new Map([...ids.keys()].map((known) => [fold(known), known]));
      foldedIds.set(ids, folded);
    }
    return folded.get(fold(id));
  };
  /** `list[i].field`, the id found there, must stand among `ids`; `what` is what they are ids of. */
  const mustName = (
    list: string,
    i: number,
    field: string,
    id: unknown,
    ids: ReadonlyMap<string, number>,
    what: string,
  ) => {
    if (typeof id !== 'string' || ids.has(id)) return;
    const own = listOf(read, list)[i]?.['id'];
    // Who keeps the items by their ids, as in a session, does not know their places.
    const whose = typeof own === 'string' ? `, in ${quote(own)}` : '';
    const meant = spelledAlike(id, ids);
    problems.add(
      `${list}[${i}].${field}`,
      `names no ${what}: ${quote(id)} is not among the ids of ${what}s${whose}${meant === undefined ? '' : `; there is ${quote(meant)}`}`,
    );
  };

  listOf(read, 'actors').forEach((actor, i) => {
    const ids = actor?.['depends_on'];
    if (Array.isArray(ids))
      ids.forEach((id, j) => mustName('actors', i, `depends_on[${j}]`, id, actors, 'actor'));
  });
  listOf(read, 'claims').forEach((claim, i) => {
    if (!claim) return;
    mustName('claims', i, 'actor_id', claim['actor_id'], actors, 'actor');
    const subject = claim['subject_id'] || undefined;
    const target = claim['target_claim_id'] || undefined;
    mustName('claims', i, 'subject_id', subject, subjects, 'subject');
    mustName('claims', i, 'target_claim_id', target, claims, 'claim');
    if (subject === undefined && target === undefined)
      problems.add(
        `claims[${i}].subject_id`,
        'or target_claim_id is required: a claim is about a subject or another claim',
      );
    if (subject !== undefined && target !== undefined)
      problems.add(
        `claims[${i}].target_claim_id`,
        'and subject_id exclude each other: a claim is about a subject or another claim',
      );
    const { event_start_time: start, event_end_time: end } = claim;
    if (typeof start === 'string' && typeof end === 'string' && parseTime(start)!.ms >= parseTime(end)!.ms)
      problems.add(`claims[${i}].event_start_time`, 'must be before event_end_time');
  });
  listOf(read, 'evidence').forEach((item, i) => {
    if (item) mustName('evidence', i, 'claim_id', item['claim_id'], claims, 'claim');
  });
  listOf(read, 'inferences').forEach((inference, i) => {
    if (inference) mustName('inferences', i, 'subject_id', inference['subject_id'], subjects, 'subject');
  });
  checkMetaCycles(listOf(read, 'claims'), claims, problems);
}

function listOf(read: Read, key: string): List {
  const list = read[key];
  return Array.isArray(list) ? (list as List) : [];
}

function idsOf(read: Read, key: string, problems: Problems): Map<string, number> {
  const ids = new Map<string, number>();
  listOf(read, key).forEach((item, index) => {
    const id = item?.['id'];
    if (typeof id !== 'string') return;
    const first = ids.get(id);
    if (first === undefined) ids.set(id, index);
    else problems.add(`${key}[${index}].id`, `${quote(id)} is taken by ${key}[${first}]: ids must be unique`);
  });
  return ids;
}

/** Each claim has at most one target, so following targets either ends or runs into a cycle. */
function checkMetaCycles(claims: List, indexOf: ReadonlyMap<string, number>, problems: Problems): void {
  const UNSEEN = 0;
  const SETTLED = -1;
  const walk = new Int32Array(claims.length);
  for (let start = 0; start < claims.length; start += 1) {
    const mark = start + 1;
    let at: number | undefined = start;
    while (at !== undefined && walk[at] === UNSEEN) {
      walk[at] = mark;
      at = targetOf(claims[at], indexOf);
    }
    if (at !== undefined && walk[at] === mark)
      problems.add(
        `claims[${at}].target_claim_id`,
        'leads back to the claim itself: meta-claims must not form a cycle',
      );
    for (
      let i: number | undefined = start;
      i !== undefined && walk[i] === mark;
      i = targetOf(claims[i], indexOf)
    )
      walk[i] = SETTLED;
  }
}

function targetOf(claim: Read | null | undefined, indexOf: ReadonlyMap<string, number>): number | undefined {
  const target = claim?.['target_claim_id'];
  return typeof target === 'string' && target !== '' ? indexOf.get(target) : undefined;
}
