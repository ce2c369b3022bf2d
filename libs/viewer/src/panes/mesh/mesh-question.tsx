import type { RefObject } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ClaimLink } from '../../components/claim-link.tsx';
import { Fold, FoldContext, Undrawn } from '../../components/fold.tsx';
import { TruthGlyph } from '../../components/truth-glyph.tsx';
import { UserText } from '../../components/user-text.tsx';
import { counted, decimal } from '../../format/numbers.ts';
import { plain, shortened } from '../../format/text.ts';
import {
  disputeOf,
  disputeWords,
  likelihoodSentence,
  questionSubject,
  readable,
  shownStatus,
  verdictValue,
} from '../../format/words.ts';
import type { Model, Verdict } from '../../model.ts';
import { downloadPng, downloadSvg } from './mesh-download.ts';
import { MeshFigure, nodeWords } from './mesh-figure.tsx';
import type { MeshQuestion } from './mesh-graph.ts';
import { createQuestion, NODES_DRAWN } from './mesh-graph.ts';
import { layoutQuestion } from './mesh-layout.ts';
import { EdgeTable, NodeTable } from './mesh-tables.tsx';
import type { Filter, View } from './mesh-view.ts';
import { changes } from './mesh-view.ts';
import { followWidth } from './sideways.ts';

const NAME_LENGTH = 70;
/**
 * Claims named at most in the sentence on what a reading changes; all are marked in the drawing and the
 * table.
 */
const NAMES_MAX = 5;
const NOTHING: ReadonlySet<string> = new Set();

interface Props {
  readonly verdict: Verdict;
  readonly model: Model;
  readonly hiddenKinds: ReadonlySet<Filter>;
  readonly index: number;
  readonly isOpenAtFirst: boolean;
}

/** One question: a line that says where it stands, and behind it the drawing, its readings and its tables. */
export function MeshQuestionView({ verdict, model, hiddenKinds, index, isOpenAtFirst }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { result, conflict, claimCount } = verdict;
  return (
    <details
      class="mesh-question"
      open={isOpenAtFirst}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <h3 class="mesh-question-title">
          <UserText text={questionSubject(result.subject_name, result.predicate)} />{' '}
          <span class="mesh-predicate">{readable(plain(result.predicate))}</span>
        </h3>
        <span class="mesh-question-facts">
          <TruthGlyph status={shownStatus(result)} />
          {result.leading_value !== null && (
            <b>
              <UserText text={verdictValue(result)} />
            </b>
          )}
          <span>{likelihoodSentence(result)}</span>
          <span>{counted(claimCount, 'claim')}</span>
          {disputeOf(result) > 0 && <span>{disputeWords(disputeOf(result))}</span>}
        </span>
      </summary>
      {conflict && (isOpen || isOpenAtFirst) && (
        <Drawn verdict={verdict} model={model} hiddenKinds={hiddenKinds} index={index} />
      )}
      {conflict && !isOpen && !isOpenAtFirst && (
        <Listed verdict={verdict} model={model} hiddenKinds={hiddenKinds} />
      )}
    </details>
  );
}

/** For readers without scripts, of a question that is drawn only when it is opened: its nodes as a table. */
function Listed({ verdict, model, hiddenKinds }: Omit<Props, 'index' | 'isOpenAtFirst'>) {
  if (useContext(FoldContext) !== 'whole') return <Undrawn />;
  const question = createQuestion(verdict, verdict.conflict!, model, NODES_DRAWN.first);
  const view: View = { reading: 0, compared: null, hiddenKinds, hiddenNodes: NOTHING, focus: null };
  return (
    <div>
      <NodeTable question={question} view={view} model={model} />
    </div>
  );
}

function Drawn({ verdict, model, hiddenKinds, index }: Omit<Props, 'isOpenAtFirst'>) {
  const conflict = verdict.conflict!;
  const [most, setMost] = useState<number>(NODES_DRAWN.first);
  const [reading, setReading] = useState(0);
  const [compared, setCompared] = useState<number | null>(conflict.interpretations.length > 1 ? 1 : null);
  const [pinned, setPinned] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [hiddenNodes, setHiddenNodes] = useState(NOTHING);
  const figure = useRef<HTMLDivElement>(null);
  const question = useMemo(() => createQuestion(verdict, conflict, model, most), [verdict, model, most]);
  const layout = useMemo(() => layoutQuestion(question), [question]);
  const view: View = { reading, compared, hiddenKinds, hiddenNodes, focus: hovered ?? pinned };
  const name = `mesh-${index + 1}`;
  const svg = () => figure.current!.querySelector('svg')!;
  const chosen = question.nodes.filter(({ kind }) => kind !== 'verdict');

  return (
    <div class="mesh-body">
      {!conflict.is_exact && (
        <p class="mesh-banner" role="note">
          Approximate: there are more readings than could be listed. The cautious core and the best are shown.
        </p>
      )}
      <Readings
        question={question}
        view={view}
        setReading={setReading}
        setCompared={setCompared}
        model={model}
      />
      <div class="mesh-tools scripted-only" role="group" aria-label="Focus and download">
        <label>
          Focus on{' '}
          <select value={pinned ?? ''} onChange={(event) => setPinned(event.currentTarget.value || null)}>
            <option value="">everything</option>
            {chosen.map((node) => (
              <option key={node.id} value={node.id}>
                {shortened(nodeWords(node, question, 'aside'), NAME_LENGTH)}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          disabled={pinned === null}
          onClick={() => {
            setHiddenNodes(new Set([...hiddenNodes, pinned!]));
            setPinned(null);
          }}
        >
          Hide it
        </button>
        {hiddenNodes.size > 0 && (
          <button type="button" onClick={() => setHiddenNodes(NOTHING)}>
            Show {hiddenNodes.size} hidden
          </button>
        )}
        <span class="mesh-tools-end">
          <button type="button" onClick={() => downloadSvg(svg(), name)}>
            Save SVG
          </button>
          <button type="button" onClick={() => void downloadPng(svg(), name)}>
            Save PNG
          </button>
        </span>
      </div>
      <Sideways figure={figure} />
      <div
        class="mesh-scroll"
        ref={figure}
        data-starts-at={layout.positions.get(question.positions[0]?.id ?? '')?.x ?? 0}
        tabIndex={0}
        role="region"
        aria-label={`Drawing: ${plain(questionSubject(verdict.result.subject_name, verdict.predicate))}, ${readable(plain(verdict.predicate))}`}
      >
        <MeshFigure question={question} layout={layout} view={view} prefix={name} hover={setHovered} />
      </div>
      {question.undrawn > 0 && (
        <p class="mesh-note">
          {counted(question.undrawn, 'claim is', 'claims are')} not drawn: the strongest of each position come
          first.{' '}
          {most < NODES_DRAWN.most && (
            <button type="button" class="scripted-only" onClick={() => setMost(NODES_DRAWN.most)}>
              Draw more
            </button>
          )}
        </p>
      )}
      <Fold class="mesh-tables" summary="As tables">
        {() => (
          <>
            <NodeTable question={question} view={view} model={model} />
            <EdgeTable question={question} view={view} model={model} />
          </>
        )}
      </Fold>
    </div>
  );
}

/** Where the drawing is wider than the screen, it starts at the claims, and this says that there is more. */
function Sideways({ figure }: { readonly figure: RefObject<HTMLElement | null> }) {
  const [isCut, setCut] = useState(false);
  useEffect(() => followWidth(figure.current!, setCut), []);
  const goTo = (end: 'start' | 'end') =>
    figure.current!.scrollTo({ left: end === 'start' ? 0 : figure.current!.scrollWidth, behavior: 'smooth' });
  return (
    <p class="mesh-sideways" hidden={!isCut}>
      The drawing is wider than the screen.{' '}
      <button type="button" onClick={() => goTo('start')}>
        ← What it rests on
      </button>{' '}
      <button type="button" onClick={() => goTo('end')}>
        The verdict →
      </button>
    </p>
  );
}

interface ReadingsProps {
  readonly question: MeshQuestion;
  readonly view: View;
  readonly model: Model;
  readonly setReading: (reading: number) => void;
  readonly setCompared: (reading: number | null) => void;
}

/** Which reading is drawn, how well it hangs together, and what the other one changes. */
function Readings({ question, view, model, setReading, setCompared }: ReadingsProps) {
  const trees = question.conflict.interpretations;
  const { reading, compared } = view;
  const current = trees[reading];
  if (!current)
    return (
      <p class="mesh-note">
        {question.verdict.claims.length > 0
          ? 'No claim of this question carries weight, so there is nothing to interpret.'
          : 'No claim speaks of this directly: the verdict rests on inferences.'}
      </p>
    );
  if (trees.length === 1)
    return (
      <p class="mesh-note">
        One reading only: its {counted(current.accepted_claims.length, 'claim')} can all be held together.
        Coherence {decimal(current.coherence_score)}.
      </p>
    );
  const { added, dropped } = changes(question, view);
  const names = (ids: readonly string[]) => (
    <>
      {ids.slice(0, NAMES_MAX).map((id, index) => (
        <span key={id}>
          {index > 0 && '; '}
          <ClaimLink
            claim={model.claimById.get(id)!}
            text={shortened(model.claimById.get(id)!.input.content, NAME_LENGTH)}
            isInSentence
          />
        </span>
      ))}
      {ids.length > NAMES_MAX && ` and ${ids.length - NAMES_MAX} more`}
    </>
  );
  return (
    <div>
      <p class="mesh-reading-choice">
        <span class="scripted-only">
          <label>
            Reading{' '}
            <select
              value={reading}
              onChange={(event) => {
                setReading(Number(event.currentTarget.value));
                setCompared(reading);
              }}
            >
              {trees.map(({ label, coherence_score }, index) => (
                <option key={label} value={index}>
                  {label}, coherence {decimal(coherence_score)}
                </option>
              ))}
            </select>
          </label>{' '}
          <label>
            compared with{' '}
            <select
              value={compared ?? ''}
              onChange={(event) =>
                setCompared(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))
              }
            >
              <option value="">nothing</option>
              {trees.map(({ label }, index) => (
                <option key={label} value={index} disabled={index === reading}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </span>
        <span class="unscripted-only">
          {current.label} of {trees.length}, coherence {decimal(current.coherence_score)}
        </span>
      </p>
      {compared !== null && (
        <p class="mesh-note" role="status">
          Against {trees[compared]!.label}, {current.label} {added.length > 0 && <>accepts {names(added)}</>}
          {added.length > 0 && dropped.length > 0 && ', and '}
          {dropped.length > 0 && <>rejects {names(dropped)}</>}
          {added.length + dropped.length === 0 && 'changes nothing that is drawn'}.
        </p>
      )}
    </div>
  );
}
