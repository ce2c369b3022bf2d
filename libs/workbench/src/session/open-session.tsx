import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import {
  Changes,
  createModel,
  FoldContext,
  instant,
  MendingContext,
  pageSnapshot,
  PANES,
  plain,
  Search,
  UserText,
  withWords,
  withComparisons,
  type Mending,
  type PaneId,
  type Presentation,
} from '@platform/viewer/browser';
import type { Problem } from '../api/problems.ts';
import type { Presented, Session } from '../api/wire.ts';
import { focusIfLost, useScreenTitle } from '../browser/focus.ts';
import { navigate } from '../browser/route.ts';
import { hasUnsaved } from '../browser/unsaved.ts';
import { isDialogOpen } from '../components/dialog.tsx';
import { AgeingQuestion } from './ageing-question.tsx';
import { Failure } from '../components/failure.tsx';
import { Toast } from '../components/toast.tsx';
import { EditTab } from './edit-tab.tsx';
import { mendWarnings } from '../edit/mend-warnings.ts';
import { payloadChange } from '../edit/payload-change.ts';
import { ClaimsTab } from '../grid/claims-tab.tsx';
import { ConflictNotice } from '../grid/conflicts.tsx';
import type { DeskState } from '../grid/desk.ts';
import { useDesk } from '../grid/use-desk.ts';
import { useHistoryKeys } from '../grid/use-history-keys.ts';
import { HistoryTab } from '../history/history-tab.tsx';
import { JUDGE_BUTTON, JudgeButton } from '../judge/judge-button.tsx';
import { showModel } from '../judge/shown-model.ts';
import { useJudged } from '../judge/use-judged.ts';
import { OutcomesSection } from '../outcomes/outcomes-section.tsx';
import { CommandPalette } from '../palette/command-palette.tsx';
import { PublishTab } from '../publish/publish-tab.tsx';
import { useShare } from '../publish/use-share.ts';
import { WatchSection } from '../watch/watch-section.tsx';
import { INVITE_BUTTON, InviteColleagues } from '../members/invite-colleagues.tsx';
import { rightsOf, ROLE_WORDS } from '../api/rights.ts';
import { TabList } from './tab-list.tsx';
import { isPane, READING_TABS, TABS, useTab, type Goal, type Tab } from '../browser/tabs.ts';

interface Props {
  readonly session: Session;
  readonly changed: (change: (session: Session) => Session) => void;
}

/** A session at work: edited, judged, read, published. */
export function OpenSession({ session, changed }: Props) {
  const { session_id: id, name, interpretation, interpretation_updated_at } = session;
  const presentation = useMemo(() => givenOf(session.presentation), [session.presentation]);
  const heading = useScreenTitle(plain(name) || plain(id));
  const question = plain(session.payload.research_question);
  const rights = rightsOf(session.role);
  const tabs = rights.mayEdit ? TABS : READING_TABS;
  const [tab, show] = useTab(session.judged_at === null && rights.mayEdit ? 'edit' : 'overview', tabs);
  const [wasEdited, setEdited] = useState(
    session.judged_at !== null && session.updated_at > session.judged_at,
  );
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const { judged, reasons, error, reload } = useJudged(id, session.judged_at);
  /** Edits that were all taken back are none. */
  const isEdited = useMemo(
    () =>
      wasEdited &&
      (judged === null || Object.keys(payloadChange({ ...judged.input }, { ...session.payload })).length > 0),
    [wasEdited, judged, session.payload],
  );
  const known = useShare(session, rights.mayPublish);
  const shown = useMemo(
    () =>
      judged && {
        ...judged,
        ...reasons,
        session_name: name,
        interpretation,
        interpretation_updated_at,
        presentation,
      },
    [judged, reasons, name, interpretation, presentation],
  );
  const model = useMemo(() => {
    const drawn = shown && createModel(pageSnapshot(shown));
    showModel(drawn);
    return drawn;
  }, [shown]);
  /** The model before its reasons came, for the mesh, which shows none of them and is long to draw. */
  const unexplained = useMemo(() => model, [judged]);
  /** All findings and claims: the overview turns their pages, and warnings find their words in them. */
  const whole = useMemo(
    () =>
      shown !== null && (tab === 'overview' || tab === 'audit') && model?.judged.totals
        ? createModel(withWords(withComparisons(shown)))
        : null,
    [shown, model, tab],
  );
  const modelOf = (pane: PaneId) => {
    if (pane === 'overview') return whole;
    // Reasons decide which claims of a very large investigation are shown.
    return pane === 'mesh' && !model?.judged.totals ? unexplained : null;
  };
  const findings = useMemo(() => model?.verdicts.map(({ result }) => result) ?? [], [model]);

  /** What has been saved here, counted: judging takes a while, and what is saved meanwhile is not judged. */
  const edits = useRef(0);
  const judgedEdits = useRef(0);

  function edited(change: (session: Session) => Session): void {
    edits.current += 1;
    changed(change);
    setEdited(true);
    setProblems([]);
  }

  const { desk, state } = useDesk(session, edited);

  useHistoryKeys(desk, rights.mayEdit && (tab === 'edit' || tab === 'claims'));

  /** The last edit, while it is one that mended warnings. */
  const [mended, setMended] = useState<DeskState['last']>(null);
  const mending = useMemo<Mending | null>(() => {
    const drawn = whole ?? model;
    if (!rights.mayEdit || drawn === null || shown === null) return null;
    return {
      model: drawn,
      mendOf(sentences) {
        const mend = mendWarnings(sentences, shown.input, state.payload);
        return (
          mend && {
            label: mend.label,
            run() {
              desk.edit(mend.done, mend.items());
              setMended(desk.state().last);
              focusIfLost('audit-warnings');
            },
          }
        );
      },
    };
  }, [whole, model, shown, state.payload, rights.mayEdit]);

  function wasJudged(judgedAt: string): void {
    changed((now) => ({ ...now, judged_at: judgedAt }));
    setEdited(edits.current !== judgedEdits.current);
    setProblems([]);
    // Do not switch tabs while the user is writing.
    if (!hasUnsaved() && !isDialogOpen()) show((now) => (isPane(now) ? now : 'overview'));
  }

  /** What the claims are to show, asked for elsewhere; each asking is another object. */
  const [claimsGoal, setClaimsGoal] = useState<Goal | null>(null);

  const judge = () => document.getElementById(JUDGE_BUTTON)?.click();

  function go(goal: Goal): void {
    switch (goal.to) {
      case 'tab':
        show(() => goal.tab);
        return void requestAnimationFrame(() => document.getElementById(`tab-${goal.tab}`)?.focus());
      case 'invite':
        return document.getElementById(INVITE_BUTTON)?.click();
      case 'judge':
        return judge();
      case 'undo':
      case 'redo':
        // Where the line stands that says what was taken back.
        show((now) => (now === 'claims' ? now : 'edit'));
        return desk[goal.to]();
      case 'sessions':
        return navigate({ screen: 'sessions' });
      default:
        show(() => 'claims');
        setClaimsGoal({ ...goal });
    }
  }

  return (
    <main class="screen session">
      <div class="screen-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            <UserText text={plain(name) === '' ? id : name} />
          </h1>
          {question !== '' && question !== plain(name) && (
            <p class="question">
              <UserText text={session.payload.research_question} />
            </p>
          )}
          <p class="session-state">
            {session.judged_at === null ? 'Not judged yet' : `Judged ${instant(session.judged_at)}`}{' '}
            {isEdited && session.judged_at !== null && <span class="flag">edited since</span>}
            {session.role !== 'owner' && (
              <>
                {' · '}
                <UserText text={`of ${session.owner_name ?? 'a colleague'}`} />
                {session.role !== null && `, you ${ROLE_WORDS[session.role]}`}
              </>
            )}
          </p>
        </div>
        <CommandPalette
          payload={state.payload}
          mayEdit={rights.mayEdit}
          mayInvite={rights.isOwner}
          history={state}
          go={go}
        />
        {rights.isOwner && <InviteColleagues sessionId={id} />}
        {rights.mayEdit && (
          <JudgeButton
            sessionId={id}
            save={desk.flush}
            judgedAt={session.judged_at}
            begun={() => (judgedEdits.current = edits.current)}
            judged={wasJudged}
            refused={(found) => {
              setProblems(found);
              show(() => 'edit');
            }}
          />
        )}
      </div>
      <div class="tab-nav">
        <TabList tabs={tabs} shown={tab} show={(next) => show(() => next)} />
        {model && isPane(tab) && <Search getModel={() => model} isOnKeys={false} />}
      </div>
      {state.conflicts.length > 0 && tab !== 'claims' && <ConflictNotice show={() => show(() => 'claims')} />}
      {rights.mayEdit && (tab === 'edit' || tab === 'claims') && (
        <AgeingQuestion
          sessionId={id}
          payload={state.payload}
          focusAfter={`tab-${tab}`}
          flush={desk.flush}
          changed={edited}
        />
      )}
      {rights.mayEdit && (
        <>
          <Panel tab="edit" shown={tab}>
            <EditTab
              session={session}
              desk={desk}
              state={state}
              problems={problems}
              changed={edited}
              judge={judge}
            />
          </Panel>
          <Panel tab="claims" shown={tab}>
            <ClaimsTab desk={desk} state={state} isShown={tab === 'claims'} model={model} goal={claimsGoal} />
          </Panel>
        </>
      )}
      {isPane(tab) && (
        <Panel tab={tab} shown={tab}>
          <header class="pane-header">
            <h2>{PANES[tab].title}</h2>
            <p>{PANES[tab].lead}</p>
          </header>
          <Failure error={error} retry={reload} />
          {session.judged_at === null && (
            <p class="empty">
              Nothing to see yet: the investigation was not judged.
              {rights.mayEdit && ' Add sources, subjects and claims, then choose Judge.'}
            </p>
          )}
          {session.judged_at !== null && model === null && error === null && <p role="status">Loading …</p>}
          {isEdited && model && (
            <p class="notice">
              The investigation was edited after this judgement.
              {rights.mayEdit && ' Judge again to see what changes.'}
            </p>
          )}
          {model && reasons === null && error === null && (
            <p class="notice" role="status">
              Reasons and weights are being worked out …
            </p>
          )}
          <MendingContext.Provider value={mending}>
            {model && <Pane tab={tab} model={modelOf(tab) ?? model} />}
          </MendingContext.Provider>
          {mended !== null && mended === state.last && (
            <Toast
              text={`${mended.label}.`}
              undo={async () => {
                desk.undo();
                const { last } = desk.state();
                setMended(last);
                return last?.note;
              }}
              next={{ label: 'Judge', run: judge }}
              close={() => setMended(null)}
            />
          )}
        </Panel>
      )}
      <Panel tab="history" shown={tab}>
        <HistoryTab session={session} isShown={tab === 'history'} />
        <OutcomesSection
          session={session}
          isShown={tab === 'history'}
          findings={findings}
          mayEdit={rights.mayEdit}
        />
        <WatchSection session={session} isShown={tab === 'history'} findings={findings} share={known.share} />
      </Panel>
      <Panel tab="publish" shown={tab}>
        <PublishTab
          session={session}
          rights={rights}
          isEdited={isEdited}
          changed={changed}
          known={known}
          findings={findings}
        />
      </Panel>
    </main>
  );
}

/** How a share is presented, without what is not set. */
function givenOf(presented: Presented): Presentation {
  return Object.fromEntries(Object.entries(presented).filter(([, value]) => value !== null)) as Presentation;
}

function Pane({ tab, model }: { tab: keyof typeof PANES; model: ReturnType<typeof createModel> }) {
  const { Component } = PANES[tab];
  // Much about a session changes that its panes do not show.
  return useMemo(
    () => (
      <>
        {/* What came before is the analyst's alone: pages show one judgement, without this script. */}
        {tab === 'audit' && <Changes model={model} />}
        <div class="pane-body" data-pane-body={tab}>
          <FoldContext.Provider value="opened">
            <Component model={model} />
          </FoldContext.Provider>
        </div>
      </>
    ),
    [tab, model],
  );
}

/** Draws a panel when it is first shown; hidden later, it keeps the text typed into it. */
function Panel({ tab, shown, children }: { tab: Tab; shown: Tab; children: ComponentChildren }) {
  const wasShown = useRef(false);
  wasShown.current ||= tab === shown;
  return (
    <section
      id={tab}
      class="panel"
      role="tabpanel"
      aria-labelledby={`tab-${tab}`}
      hidden={tab !== shown}
      key={tab}
    >
      {wasShown.current && children}
    </section>
  );
}
