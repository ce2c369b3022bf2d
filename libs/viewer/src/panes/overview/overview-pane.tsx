import { useContext } from 'preact/hooks';
import { Legend } from '../../components/legend.tsx';
import { PartContext, useHref } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { LinkedText, UserParagraphs, UserText } from '../../components/user-text.tsx';
import { count, counted } from '../../format/numbers.ts';
import { asOfText, day } from '../../format/times.ts';
import { speakersOf } from '../../model.ts';
import type { Model } from '../../model.ts';
import { AnswerBlock } from './answer.tsx';
import { allWarnings } from '../audit/all-warnings.ts';
import { EvidenceGaps } from './evidence-gaps.tsx';
import { Findings } from './findings.tsx';
import { RankedClaims } from './ranked-claims.tsx';

/**
 * The answer, the analyst's words on it, every finding, what would change them, and the claims that carry
 * them.
 */
export function OverviewPane({ model }: PaneProps) {
  if ((useContext(PartContext)?.page ?? 1) > 1)
    return (
      <div class="overview">
        <Findings model={model} />
        <Legend />
      </div>
    );
  return (
    <div class="overview">
      <AnswerBlock model={model} />
      <Interpretation model={model} />
      <Byline model={model} />
      <Scope model={model} />
      <CutNotices model={model} />
      <Findings model={model} />
      <Legend />
      <EvidenceGaps model={model} />
      <RankedClaims model={model} />
    </div>
  );
}

/** What the page leaves out of a large investigation. */
export function CutNotices({ model }: PaneProps) {
  return (
    <>
      {model.judged.totals && (
        <p class="notice">
          The page shows{' '}
          {model.verdicts.length === model.judged.totals.verdicts
            ? `the strongest claims on each verdict`
            : `the ${counted(model.verdicts.length, 'most disputed verdict')} out of ${count(model.judged.totals.verdicts)} and their strongest claims`}
          , {count(model.claims.length)} out of {count(model.judged.totals.claims)}. The downloads hold all.
        </p>
      )}
      {model.judged.evidence_total !== undefined && (
        <p class="notice">
          The page shows {counted(model.judged.input.evidence?.length ?? 0, 'item')} of evidence out of{' '}
          {count(model.judged.evidence_total)}, of each claim the first. The JSON download holds all.
        </p>
      )}
      {model.full === null && (
        <p class="notice">
          This is a summary: only the strongest findings, the most contested claims and the largest gaps were
          kept.
        </p>
      )}
    </>
  );
}

/** Who wrote it, who publishes it and where readers write to, as the author said. */
export function Byline({ model: { presentation } }: PaneProps) {
  const { byline, publisher, contact } = presentation;
  if (!byline && !publisher && !contact) return null;
  return (
    <p class="byline">
      {byline && (
        <>
          By <UserText text={byline} />
          {publisher ? ', ' : '. '}
        </>
      )}
      {publisher && (
        <>
          {byline ? 'published by ' : 'Published by '}
          <UserText text={publisher} />
          {'. '}
        </>
      )}
      {contact && (
        <>
          Contact:{' '}
          {EMAIL.test(contact) ? (
            <a href={`mailto:${contact}`}>
              <UserText text={contact} />
            </a>
          ) : (
            <bdi dir="auto">
              <LinkedText text={contact} />
            </bdi>
          )}
          {'. '}
        </>
      )}
    </p>
  );
}

/** An address that a link may hand to a mail program: nothing in it can add a header. */
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;

/** What the findings rest on, in one line, and how many warnings there are. */
export function Scope({ model }: PaneProps) {
  const href = useHref();
  const { input, judgement, totals } = model.judged;
  const warnings = allWarnings(model.judged).length;
  return (
    <p class="scope">
      {counted(totals?.claims ?? input.claims.length, 'claim')} by{' '}
      {counted(totals?.sources ?? speakersOf(input), 'source')} about{' '}
      {counted(input.subjects.length, 'subject')}, judged {day(judgement.judged_at)}
      {asOfText(model.judged, day)}.{' '}
      {warnings > 0 && <a href={href('audit-warnings')}>{counted(warnings, 'warning')}</a>}
      {warnings === 0 && 'No warnings.'}
    </p>
  );
}

export function Interpretation({ model }: { readonly model: Model }) {
  const { interpretation, interpretation_updated_at, judgement } = model.judged;
  if (!interpretation) return null;
  const isOlder =
    interpretation_updated_at !== null &&
    Date.parse(interpretation_updated_at) < Date.parse(judgement.judged_at);
  return (
    <section class="interpretation" aria-labelledby="interpretation-title">
      <h3 id="interpretation-title">Interpretation</h3>
      <p class="interpretation-label">
        Written by an analyst or a language model, not computed
        {interpretation_updated_at ? `; ${day(interpretation_updated_at)}` : ''}.
        {isOlder && (
          <strong> It was written before this judgement and may describe an earlier verdict.</strong>
        )}
      </p>
      <UserParagraphs text={interpretation} />
    </section>
  );
}
