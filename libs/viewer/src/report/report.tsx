import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { OpinionBar } from '../components/opinion-bar.tsx';
import { Legend } from '../components/legend.tsx';
import { UserText } from '../components/user-text.tsx';
import { counted } from '../format/numbers.ts';
import { plain } from '../format/text.ts';
import { asOfText, instant } from '../format/times.ts';
import { evidenceSentence, likelihoodTone, shownChance } from '../format/words.ts';
import { answerIn, createModel, type Model, type Verdict } from '../model.ts';
import { headline } from '../format/citation.ts';
import { ComputedBy } from '../page/computed-by.tsx';
import { pageSnapshot } from '../page/page-snapshot.ts';
import { partOf } from '../page/places.ts';
import { Computation } from '../panes/audit/computation.tsx';
import { Quotes, QuotesNote } from '../panes/audit/quotes.tsx';
import { Warnings } from '../panes/audit/warnings.tsx';
import { DistinctionsPane } from '../panes/distinctions/distinctions-pane.tsx';
import { PANES } from '../panes/index.ts';
import { AnswerBlock } from '../panes/overview/answer.tsx';
import { EvidenceGaps } from '../panes/overview/evidence-gaps.tsx';
import { FindingLine } from '../panes/overview/finding.tsx';
import { Findings } from '../panes/overview/findings.tsx';
import { Byline, CutNotices, Interpretation, Scope } from '../panes/overview/overview-pane.tsx';
import { sidesOf, sideText } from '../panes/overview/sides.ts';
import { SourcesPane } from '../panes/sources/sources-pane.tsx';
import type { JudgedInvestigation, ShareDetails } from '../snapshot.ts';
import { paintReport, type PaintedReport, type ReportFonts, type ReportFrame } from './paint-report.ts';

export type { ReportFonts } from './paint-report.ts';

/** The whole report, or the answer on one page. */
export type ReportForm = 'full' | 'brief';

type Reported = JudgedInvestigation & { readonly share?: ShareDetails };

/** Characters of one text: enough for every sentence, and no text makes a report of thousands of pages. */
const TEXT_MAX = 1_500;
/** Claims of one source that the report lists, and of all together: as many as a page holds. */
const CLAIMS = { perSource: 100, inAll: 1_000 };

/**
 * What fits on one page is found by trying, with less each time. The last one fits whatever the texts are:
 * every text of it has an end.
 */
const BRIEFS = [
  { findings: 12, conditions: 4, textMax: TEXT_MAX, hasInterpretation: true },
  { findings: 12, conditions: 4, textMax: 400, hasInterpretation: true },
  { findings: 4, conditions: 4, textMax: 400, hasInterpretation: true },
  { findings: 6, conditions: 3, textMax: 300, hasInterpretation: false },
  { findings: 3, conditions: 2, textMax: 160, hasInterpretation: false },
  { findings: 0, conditions: 1, textMax: 90, hasInterpretation: false },
  { findings: 0, conditions: 0, textMax: 50, hasInterpretation: false },
  // A character that is named in brackets takes the room of many.
  { findings: 0, conditions: 0, textMax: 12, hasInterpretation: false },
];
type Brief = (typeof BRIEFS)[number];

/** The fonts of a build (`buildShareAssets`). Errors: a folder that holds no build throws. */
export function loadReportFonts(folder: string): ReportFonts {
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, 'image', name)));
  return { regular: read('regular.ttf'), semibold: read('semibold.ttf') };
}

/**
 * A judged investigation as a tagged PDF in the words of its page: answer, findings with what speaks for and
 * against them, what it depends on and what would change it, sources with days, quotes and links, and how it
 * was judged; or the answer alone on one page. It shows what the page shows of a very large investigation and
 * says so. What the fonts cannot draw is named in its place and stands behind it as text. The same input and
 * fonts give the same bytes. Takes some seconds for a thousand claims.
 */
export function writeReport(judged: Reported, form: ReportForm, fonts: ReportFonts): Uint8Array<ArrayBuffer> {
  const shown = pageSnapshot(judged);
  const model = createModel(shown);
  const paint = (content: ComponentChildren, textMax: number): PaintedReport => {
    const draw = (notes: ComponentChildren) =>
      paintReport(
        renderToString(
          <>
            {content}
            {notes}
          </>,
        ),
        { ...frameOf(shown, model), textMax },
        fonts,
      );
    const painted = draw(null);
    return painted.isNamed || painted.isCut ? draw(<Notes of={painted} />) : painted;
  };
  if (form === 'full') return paint(<FullReport shown={shown} model={model} />, TEXT_MAX).bytes;
  for (const brief of BRIEFS) {
    const { bytes, pages } = paint(<BriefReport shown={shown} model={model} brief={brief} />, brief.textMax);
    if (pages === 1) return bytes;
  }
  throw new Error('the shortest form of the report takes more than one page');
}

function frameOf(shown: Reported, model: Model): Omit<ReportFrame, 'textMax'> {
  const { byline, publisher } = model.presentation;
  const answer = answerIn(model);
  const { hrefOf } = partOf(model, { pane: 'overview', page: 1 });
  const { share } = shown;
  return {
    title: headline(shown),
    author: [byline, publisher].filter((name) => name !== undefined).join(', '),
    date: new Date(share?.snapshot_taken_at ?? shown.judgement.judged_at),
    tone: answer === null ? 'soft' : likelihoodTone(answer.verdict.result),
    addressOf(href) {
      if (/^https?:\/\//.test(href) || href.startsWith('mailto:')) return href;
      if (share === undefined) return null;
      return URL.parse(href.startsWith('#') ? hrefOf(href.slice(1)) : href, share.url)?.href ?? null;
    },
  };
}

interface Props {
  readonly shown: Reported;
  readonly model: Model;
}

function Head({ shown }: Pick<Props, 'shown'>) {
  const { share, judgement } = shown;
  return (
    <>
      <p class="frozen-badge">
        {share ? (
          <>
            Frozen snapshot of {instant(share.snapshot_taken_at)}. <a href={share.url}>{plain(share.url)}</a>
          </>
        ) : (
          <>
            Judged {instant(judgement.judged_at)}
            {asOfText(shown, instant)}. This is no published page: the session may change.
          </>
        )}
      </p>
      <h1>
        <UserText text={headline(shown)} />
      </h1>
    </>
  );
}

/** The bar of the answer with who speaks for it and against it. */
function AnswerBar({ verdict }: { readonly verdict: Verdict }) {
  const { confidence } = verdict.result;
  const sides = sidesOf(verdict);
  return (
    <div class="answer-bar">
      <OpinionBar opinion={confidence} chance={shownChance(verdict.result)} tall />
      <p class="finding-sides">
        <span class="name-support">{sideText(sides, 'for')}</span>
        <span>{evidenceSentence(confidence.uncertainty)}</span>
        <span class="name-opposition">{sideText(sides, 'against')}</span>
      </p>
    </div>
  );
}

function Foot({ shown }: Pick<Props, 'shown'>) {
  const { judgement, input_sha256, result_sha256 } = shown;
  return (
    <div class="page-foot">
      <p>
        <ComputedBy engine={judgement.engine_version} where="in this report" />
      </p>
      <p>
        SHA-256 of the input: <code>{input_sha256}</code>, of the result: <code>{result_sha256}</code>
      </p>
    </div>
  );
}

/** What a reader has to know of texts that are not drawn as they are. */
function Notes({ of: { isNamed, isCut } }: { readonly of: PaintedReport }) {
  return (
    <div class="page-foot">
      {isNamed && (
        <p>
          The fonts of this report have Latin, Greek and Cyrillic letters. Other characters are named in
          brackets, such as [4 Chinese characters]; they stand behind the brackets for copying and for screen
          readers, and in every other download.
        </p>
      )}
      {isCut && <p>Long texts end with an ellipsis here; the other downloads hold all of them.</p>}
    </div>
  );
}

function FullReport({ shown, model }: Props) {
  const answer = answerIn(model);
  return (
    <>
      <Head shown={shown} />
      <AnswerBlock model={model} />
      {answer && <AnswerBar verdict={answer.verdict} />}
      <Byline model={model} />
      <Scope model={model} />
      <CutNotices model={model} />
      <Interpretation model={model} />
      <h2>Findings</h2>
      <Findings model={model} />
      <EvidenceGaps model={model} />
      {(model.judged.input.distinctions ?? []).length > 0 && (
        <>
          <h2>{PANES.distinctions.title}</h2>
          <DistinctionsPane model={model} />
        </>
      )}
      <h2>{PANES.sources.title}</h2>
      <SourcesPane model={model} most={CLAIMS} />
      <h2>How it was judged</h2>
      <Computation model={model} />
      <Warnings model={model} />
      <Quotes model={model} />
      <Legend />
      <Foot shown={shown} />
    </>
  );
}

function BriefReport({ shown, model, brief }: Props & { readonly brief: Brief }) {
  const answer = answerIn(model);
  const others = model.verdicts.filter((verdict) => verdict !== answer?.verdict);
  const left = others.length - brief.findings;
  return (
    <>
      <Head shown={shown} />
      <AnswerBlock model={model} conditionsMax={brief.conditions} />
      {answer && <AnswerBar verdict={answer.verdict} />}
      {brief.hasInterpretation && <Interpretation model={model} />}
      {others.slice(0, brief.findings).map((verdict) => (
        <FindingLine key={`${verdict.subjectId} ${verdict.predicate}`} verdict={verdict} />
      ))}
      {left > 0 && <p class="more">{counted(left, 'more finding')} in the full report.</p>}
      <Byline model={model} />
      <Scope model={model} />
      <QuotesNote model={model} />
      <CutNotices model={model} />
      <Foot shown={shown} />
    </>
  );
}
