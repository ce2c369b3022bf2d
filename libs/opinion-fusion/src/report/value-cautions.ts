import { quote } from '../contract/quote.ts';
import type { Warnings } from '../contract/warnings.ts';
import type { Claim } from '../model/model.ts';
import { isStanding } from '../model/reliability.ts';
import type { Bucket } from '../model/statements.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { folded } from './cautions.ts';

/** Signs and spaces at the ends of a text. */
const AT_THE_ENDS = /^[\s\p{P}]+|[\s\p{P}]+$/gu;

/**
 * Warns of each text that differs from another value of its question and scope in punctuation or characters
 * that look alike only, such as `Yes.` and `yes`; the two are kept apart. Source: reasoning model §11. Never
 * throws.
 */
export function warnOfNearValues({ pairs, weighings, model }: Weighed, warnings: Warnings): void {
  const isHeard = (claim: Claim) => isStanding(claim) && !weighings[claim.index]!.belowFloor;
  for (const { subject, predicate, buckets } of pairs) {
    for (const bucket of buckets) {
      for (const [text, other] of nearValues(bucket, isHeard, model.valueOf)) {
        warnings.add(
          'values_nearly_meet',
          text.id,
          `The values ${quote(text.input.value)} of claim ${quote(text.id)} and ${quote(other.input.value)} of claim ${quote(other.id)} on ${quote(predicate)} of ${quote(subject.id)} differ only in case, white space, punctuation or characters that look alike, and are kept apart; use one spelling if they mean the same.`,
        );
      }
    }
  }
}

/** Texts, each with the first value that it nearly is. */
function* nearValues(
  { groups }: Bucket,
  isHeard: (claim: Claim) => boolean,
  valueOf: Weighed['model']['valueOf'],
): Iterable<readonly [Claim, Claim]> {
  if (groups.length < 2) return;
  const byKey = new Map<string, Claim>();
  const byFold = new Map<string, Claim>();
  const texts: Claim[] = [];
  for (const { value, claims } of groups) {
    const claim = claims.find(isHeard);
    if (!claim || byKey.has(value.key)) continue;
    byKey.set(value.key, claim);
    if (value.kind === 'text') texts.push(claim);
  }
  for (const claim of texts) {
    const text = claim.value.key.slice('t:'.length);
    const fold = folded(text);
    const twin = byFold.get(fold);
    const bare = text.replace(AT_THE_ENDS, '');
    const read = bare === text || bare === '' ? undefined : byKey.get(valueOf(bare).key);
    const isText = read?.value.kind === 'text';
    if (twin) yield [claim, twin];
    else if (read && !isText) yield [claim, read];
    else byFold.set(fold, claim);
  }
}
