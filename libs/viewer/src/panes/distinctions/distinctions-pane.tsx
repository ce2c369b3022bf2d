import { useMemo } from 'preact/hooks';
import type { OpinionSummary } from '@platform/opinion-fusion';
import { ClaimLink } from '../../components/claim-link.tsx';
import { ClaimStatement, isOpposite } from '../../components/claim-statement.tsx';
import { EngineSentence } from '../../components/engine-sentence.tsx';
import { OpinionBar } from '../../components/opinion-bar.tsx';
import { useHref, usePaged } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';
import { percent } from '../../format/numbers.ts';
import { plain } from '../../format/text.ts';
import { chanceOf, likelihoodLabel, sameWords, shownValue } from '../../format/words.ts';
import type { Model } from '../../model.ts';
import type { DistinctionCard, DistinctionStatus, Side } from './distinction-cards.ts';
import { distinctionCards } from './distinction-cards.ts';

const STATUS: Readonly<Record<DistinctionStatus, { readonly word: string; readonly meaning: string }>> = {
  active: {
    word: 'Active',
    meaning: 'It ends the conflict of the two claims: both stand, each under its condition.',
  },
  inert: {
    word: 'Inert',
    meaning: 'Its claims answer different questions, so there is no conflict to end.',
  },
  dropped: { word: 'Dropped', meaning: 'It took no part in the judgement.' },
};

/** Cards that one document holds. */
export const CARDS_PER_PAGE = 50;

/**
 * Contradictions that dissolve once a condition is named: two claims side by side, and what follows under
 * either.
 */
export function DistinctionsPane({ model }: PaneProps) {
  const cards = useMemo(() => distinctionCards(model), [model]);
  const isSummary = model.full === null;
  const { shown, pager } = usePaged(cards, CARDS_PER_PAGE, { name: 'distinctions' });
  return (
    <div class="distinctions">
      <p class="distinctions-about">
        A distinction names a feature in which two contradicting claims differ. Both may then be right, each
        under its own condition, and neither attacks the other.
      </p>
      {cards.length === 0 && <Empty claims={model.claims.length} />}
      {cards.length > 0 && isSummary && (
        <p class="distinctions-note">
          Judged in summary mode, which leaves out what follows under either condition. Judge the session
          without it to see the numbers.
        </p>
      )}
      {shown.map((card) => (
        <Card key={card.distinction.id} card={card} model={model} />
      ))}
      {pager}
    </div>
  );
}

function Empty({ claims }: { readonly claims: number }) {
  return (
    <div class="distinctions-empty">
      <p>
        <b>This investigation names none.</b>{' '}
        {claims < 2
          ? 'It would take two claims that contradict each other.'
          : 'The judge found no condition under which contradicting claims could both be right, or did not look for one.'}{' '}
        What holds in a scope or time alone stands with the findings.
      </p>
      <p>
        An example: “the river is safe to swim in” and “it is not” may both hold, one in summer and one after
        heavy rain. The feature is the weather; the conditions are the two seasons.
      </p>
    </div>
  );
}

function Card({ card, model }: { readonly card: DistinctionCard; readonly model: Model }) {
  const href = useHref();
  const { distinction, status, a, b, warnings, wouldAttack, without } = card;
  const titleId = `distinction-title-${encodeURIComponent(plain(distinction.id))}`;
  return (
    <article class={`distinction distinction-${status}`} aria-labelledby={titleId}>
      <header class="distinction-header">
        <h3 id={titleId}>
          It depends on <UserText text={distinction.feature} />
        </h3>
        <p class="distinction-status">
          <StatusGlyph status={status} />
          <b>{STATUS[status].word}</b> <span>{STATUS[status].meaning}</span>
        </p>
      </header>
      {warnings.map((warning) => (
        <p key={warning} class="distinction-warning">
          <EngineSentence text={warning} model={model} />
        </p>
      ))}
      {wouldAttack && (
        <>
          <input type="checkbox" class="distinction-toggle" id={`${titleId}-ignore`} />
          <label for={`${titleId}-ignore`}>Ignore this distinction</label>
        </>
      )}
      <div class="distinction-claims">
        <ClaimSide side={a} />
        <Attack isDrawn={wouldAttack} />
        <ClaimSide side={b} />
      </div>
      {wouldAttack && (
        <p class="distinction-ignored">
          Without it the two claims attack each other: no reading holds both, and each counts against the
          other. {without && <Without {...without} />}
        </p>
      )}
      {status === 'active' && !wouldAttack && (
        <p class="distinctions-note">
          The two claims do not contradict each other, so there is no attack to suppress.
        </p>
      )}
      {status !== 'dropped' && (
        <ol class="distinction-conclusions">
          <Conclusion side={a} />
          <Conclusion side={b} />
        </ol>
      )}
      {distinction.description && (
        <p class="distinctions-note">
          <UserText text={distinction.description} />
        </p>
      )}
      {status === 'active' && (
        <p class="distinction-links">
          <a href={href('mesh')}>See both claims among the arguments</a>
        </p>
      )}
    </article>
  );
}

/** Shows the verdict without the distinction next to the verdict with it. */
function Without({ held, ignored }: NonNullable<DistinctionCard['without']>) {
  const chances = [percent(chanceOf(held)), percent(chanceOf(ignored))] as const;
  const isOther = !sameWords(held.leading_value ?? '', ignored.leading_value ?? '');
  return (
    <strong class="distinction-without">
      The verdict would be{' '}
      {ignored.leading_value !== null && (
        <>
          “<UserText text={shownValue(ignored.leading_value)} />
          ”,{' '}
        </>
      )}
      {likelihoodLabel(ignored).toLowerCase()} ({chances[1]})
      {isOther ? (
        <>
          ; with it, {held.denied ? 'sources deny' : 'it is'} “
          <UserText text={shownValue(held.leading_value ?? '')} />” ({chances[0]}).
        </>
      ) : chances[0] === chances[1] ? (
        ', as it is with it.'
      ) : (
        `; with it, it is ${chances[0]}.`
      )}
    </strong>
  );
}

function ClaimSide({ side: { letter, claimId, claim } }: { readonly side: Side }) {
  return (
    <div class="distinction-claim" role="group" aria-label={`Claim ${letter}`}>
      <p class="distinction-letter" aria-hidden="true">
        {letter}
      </p>
      {claim ? (
        <>
          <p class="distinction-content">
            <ClaimLink claim={claim} text={claim.input.content} />
          </p>
          <p class="distinctions-note">
            <UserText text={claim.actor.name} />: <ClaimStatement claim={claim} />
          </p>
        </>
      ) : (
        <p class="distinctions-note">
          No claim <UserText text={claimId} /> in this investigation.
        </p>
      )}
    </div>
  );
}

/** `If …, the chance that A is right is 56 %.` with its opinion as a bar. */
function Conclusion({ side: { letter, condition, conclusion, chance, claim } }: { readonly side: Side }) {
  return (
    <li class="distinction-conclusion">
      <p>
        If <UserText text={condition} class="distinction-condition" />,{' '}
        <span>
          {conclusion && chance !== null ? (
            <>
              the chance that <b>{letter}</b> is right is <b>{percent(chance)}</b>.
            </>
          ) : (
            <>
              <b>{letter}</b> would be right.
            </>
          )}
        </span>
      </p>
      {conclusion && (
        <OpinionBar
          opinion={claim && isOpposite(claim) ? turned(conclusion.opinion) : conclusion.opinion}
          chance={chance}
          tall
        />
      )}
    </li>
  );
}

/** The opinion on the opposite: support and opposition change places. */
const turned = (opinion: OpinionSummary): OpinionSummary => ({
  ...opinion,
  support: opinion.opposition,
  opposition: opinion.support,
  base_rate: 1 - opinion.base_rate,
});

/** The attack between the claims, crossed out; the cross goes when the distinction is ignored. */
function Attack({ isDrawn }: { readonly isDrawn: boolean }) {
  return (
    <svg class="distinction-attack" viewBox="0 0 80 40" width="80" height="40" aria-hidden="true">
      {isDrawn && (
        <>
          <path class="distinction-line" d="M6 20H74" />
          <path class="distinction-heads" d="M5 12V28M12 14 6 20 12 26M75 12V28M68 14 74 20 68 26" />
          <g class="distinction-cross">
            <circle cx="40" cy="20" r="12" />
            <path d="M34 14 46 26M46 14 34 26" />
          </g>
        </>
      )}
    </svg>
  );
}

/** A filled disc takes part, a ring stands by, a crossed ring is out. */
function StatusGlyph({ status }: { readonly status: DistinctionStatus }) {
  return (
    <svg class="distinction-glyph" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
      <circle class={status === 'active' ? 'is-filled' : undefined} cx="7" cy="7" r="5.5" />
      {status === 'dropped' && <path d="M3.5 3.5 10.5 10.5M10.5 3.5 3.5 10.5" />}
    </svg>
  );
}
