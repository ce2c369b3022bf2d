import { textOf, type Contribution } from '@platform/opinion-fusion';
import { outcomeNote } from '../../components/outcome-note.ts';
import { verdictFragment } from '../../format/fragments.ts';
import { decimal } from '../../format/numbers.ts';
import { plain, shortened } from '../../format/text.ts';
import type { Claim, Model, Verdict } from '../../model.ts';
import { findingOf, type Moment } from './timeline-layout.ts';
import { dayOf, eventWords } from './timeline-words.ts';

const SAID_LENGTH = 90;
const FINDING_LENGTH = 80;

/** What a claim does for its finding's leading answer; `none` where it adds nothing to either side. */
export type Side = 'for' | 'against' | 'none';
export const SIDES: readonly Side[] = ['for', 'none', 'against'];

/** What a claim adds to the verdict on what it is about, as the explanation of the verdict has it. */
export interface Weight {
  readonly side: Side;
  /** Evidence that it adds to its side; 0 for `none`. */
  readonly counted: number;
  /** `counts for “…” with a weight of 0.85`, or `not counted: …`. */
  readonly words: string;
}

/**
 * What each claim of a model adds to its verdict, by id. Nothing is guessed: a claim whose verdict has no
 * explanation is on no side.
 */
export function weightsOf(model: Model): ReadonlyMap<string, Weight> {
  const { claims, verdicts } = model;
  const spoken = new Map<string, { readonly contribution: Contribution; readonly verdict: Verdict }>();
  const unrelated = new Set<string>();
  const explained = new Set<string>();
  for (const verdict of verdicts) {
    const { explanation, subjectId, predicate } = verdict;
    if (explanation === null) continue;
    explained.add(verdictFragment(subjectId, predicate));
    for (const id of explanation.unrelated_claim_ids) unrelated.add(id);
    // What is said about a claim, or inferred from it, is not what the claim itself says.
    for (const contribution of explanation.contributions)
      if (contribution.route === 'voice' || contribution.route === 'meta_claim')
        spoken.set(contribution.claim_id!, { contribution, verdict });
  }
  const silent = (claim: Claim): string => {
    const own = spoken.get(claim.id);
    if (own) return outcomeNote(own.contribution, model) || 'not counted: it has no weight';
    if (unrelated.has(claim.id)) return 'not counted: it speaks of another scope, time or value';
    return explained.has(findingOf(claim)) ? 'not counted' : 'what it adds is not known here';
  };
  return new Map(
    claims.map((claim) => {
      const own = spoken.get(claim.id);
      return [
        claim.id,
        own && own.contribution.counted > 0
          ? counting(own.contribution, own.verdict)
          : { side: 'none', counted: 0, words: silent(claim) },
      ];
    }),
  );
}

function counting({ side, counted }: Contribution, { statement }: Verdict): Weight {
  const finding = textOf(statement);
  const way = side === 'support' ? 'for' : 'against';
  return {
    side: way,
    counted,
    words: `counts ${way} “${shortened(plain(finding), FINDING_LENGTH)}” with a weight of ${decimal(counted)}`,
  };
}

/** Who says a claim, when, what it says and what that adds, as one sentence. */
export function dotSentence({ claim, ageing: { assertedAt } }: Moment, { words }: Weight): string {
  const when = assertedAt === null ? `event ${eventWords({ claim })}` : dayOf(assertedAt);
  const said = plain(claim.input.content) || claim.id;
  return plain(
    `${claim.actor.name} (${when}) says “${shortened(said, SAID_LENGTH).replace(/\.$/, '')}”; ${words}.`,
  );
}
