import type { OpinionSummary, Part } from '@platform/opinion-fusion';
import { headline } from '../format/citation.ts';
import { evidenceSentence, likelihoodTone, shownChance } from '../format/words.ts';
import { day } from '../format/times.ts';
import { createModel } from '../model.ts';
import { answerOf } from '../panes/overview/answer.ts';
import { sidesOf, type Sides } from '../panes/overview/sides.ts';
import type { ShareSnapshot } from '../snapshot.ts';

/** What a share says at a glance: the content of its preview image and of its embedded card. */
export interface Card {
  readonly question: string;
  /** The answer as a sentence without chance and full stop. */
  readonly answer: readonly Part[];
  /** Null where nothing was claimed. */
  readonly finding: {
    /** `chance 78 %`. */
    readonly chance: string;
    /** The chance as a number, in [0, 1]. */
    readonly probability: number | null;
    readonly tone: 'for' | 'against' | 'open';
    readonly opinion: OpinionSummary;
    /** `Evidence: strong.` */
    readonly evidence: string;
    /** Null where the reasons are not known. */
    readonly sides: Sides | null;
    /** Who says so; empty where the reasons are not known. */
    readonly sources: readonly Part[];
    /** What the answer depends on, one sentence each. */
    readonly conditions: readonly (readonly Part[])[];
  } | null;
  /** Author and publisher, as far as they are given. */
  readonly by: readonly string[];
  /** `Frozen snapshot of 14 Mar 2026`. */
  readonly taken: string;
}

/** The card of a share. It holds nothing that the first lines of the share's page do not say. Pure. */
export function cardOf(snapshot: ShareSnapshot): Card {
  const { share } = snapshot;
  const answer = answerOf(createModel(snapshot));
  const result = answer?.verdict.result;
  return {
    question: headline(snapshot),
    answer: answer?.headline ?? ['Nothing was claimed, so nothing can be said'],
    finding:
      answer && result
        ? {
            chance: answer.chance,
            probability: shownChance(result),
            tone: likelihoodTone(result),
            opinion: result.confidence,
            evidence: evidenceSentence(result.confidence.uncertainty),
            sides: sidesOf(answer.verdict),
            sources: answer.sources,
            conditions: answer.conditions,
          }
        : null,
    by: [share.byline, share.publisher].filter((name) => name !== undefined),
    taken: `Frozen snapshot of ${day(share.snapshot_taken_at)}${share.judged_since ? '; judged again since' : ''}`,
  };
}
