import { useRef, useState } from 'preact/hooks';
import type { SubjectResult } from '@platform/opinion-fusion';
import { instant, PANE_IDS, PANES, type PaneId, slugOf } from '@platform/viewer/browser';
import { sessionPath } from '../api/api.ts';
import { ApiError, problemOf } from '../api/api-error.ts';
import type { Session, Share } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { focusFirstError, focusIfLost } from '../browser/focus.ts';
import { useUnsaved } from '../browser/unsaved.ts';
import { Confirm } from '../components/confirm.tsx';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import type { Rights } from '../api/rights.ts';
import { DownloadFiles } from './download-files.tsx';
import { InterpretationForm, useInterpretation } from './interpretation-form.tsx';
import {
  fieldsOf,
  PatternFields,
  PresentationFields,
  type PresentationChange,
} from './presentation-fields.tsx';
import { ShareLink } from './share-link.tsx';
import type { KnownShare } from './use-share.ts';

interface Props {
  readonly session: Session;
  readonly rights: Rights;
  readonly isEdited: boolean;
  readonly known: KnownShare;
  readonly changed: (change: (session: Session) => Session) => void;
  /** Findings of the last judgement; empty until they are loaded. */
  readonly findings: readonly SubjectResult[];
}

const PUBLISH_BUTTON = 'publish-page';

/** Publishes the last judgement under a link that everyone can open, or hides it again. */
export function PublishTab({ session, rights, isEdited, known, changed, findings }: Props) {
  const api = useApi();
  const { session_id: id, judged_at, name } = session;
  const form = useRef<HTMLFormElement>(null);
  const { share, setShare } = known;
  const [slug, setSlug] = useState<string | null>(null);
  const [pane, setPane] = useState<PaneId | null>(null);
  const [presentation, setPresentation] = useState<PresentationChange>({});
  const [showsChanges, setShowsChanges] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<'' | 'publish' | 'hide'>('');
  const [isHiding, setHiding] = useState(false);
  useUnsaved(slug !== null || pane !== null || showsChanges || Object.keys(presentation).length > 0);
  const interpretation = useInterpretation(session, changed);

  async function put(isPublic: boolean): Promise<void> {
    setError(null);
    setBusy(isPublic ? 'publish' : 'hide');
    if (isPublic && interpretation.isUnsaved && !(await interpretation.save())) {
      setBusy('');
      setError(new ApiError(412, 'Nothing was published: the interpretation could not be saved, see there.'));
      return focusFirstError(form.current);
    }
    try {
      const next = await api<Share>('PUT', sessionPath(id, 'share'), {
        body: {
          public: isPublic,
          slug: slug ?? share?.slug ?? name,
          preferred_pane: pane ?? share?.preferred_pane ?? 'overview',
          ...presentation,
          ...(isPublic && showsChanges && { show_changes: true }),
        },
      });
      setShare(next);
      const { answer_finding, patterns, byline, publisher, contact } = next;
      changed((now) => ({
        ...now,
        presentation: { answer_finding, patterns, byline, publisher, contact },
      }));
      // What was typed while it was published stays.
      setShowsChanges((now) => now && !isPublic);
      setSlug((now) => (now === slug ? null : now));
      setPane((now) => (now === pane ? null : now));
      setPresentation((now) => (now === presentation ? {} : now));
      requestAnimationFrame(() =>
        form.current?.querySelector('.share-link')?.scrollIntoView({ block: 'nearest' }),
      );
    } catch (failure) {
      setError(failure);
      focusFirstError(form.current);
    }
    setBusy('');
    focusIfLost(PUBLISH_BUTTON);
  }

  if (judged_at === null)
    return (
      <p class="empty">
        There is nothing to publish before the investigation is judged. Choose Judge above; the verdicts can
        then be published here.
      </p>
    );
  const isPublic = share?.is_public === true;
  const isJudgedSince = isPublic && isBefore(share.snapshot_taken_at, judged_at);
  if (!rights.mayPublish)
    return (
      <div class="publish">
        <header class="pane-header">
          <h2>Publish</h2>
          <p>Its owner, and colleagues invited to publish, can publish the last judgement.</p>
        </header>
        <div class="publish-parts">
          {rights.mayEdit && <InterpretationForm interpretation={interpretation} />}
          <DownloadFiles session={session} />
        </div>
      </div>
    );
  return (
    <div class="publish">
      <header class="pane-header">
        <h2>Publish</h2>
        <p>A frozen page of the last judgement. Later edits do not change it; publishing again does.</p>
      </header>
      <div class="publish-parts">
        <InterpretationForm interpretation={interpretation} />
        <form
          ref={form}
          class="share-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void put(true);
          }}
        >
          <h3>Public page</h3>
          {isEdited && (
            <p class="notice">
              The investigation was edited after it was judged. The page shows the judgement; judge again to
              publish the edits.
            </p>
          )}
          <div class="form-grid">
            <Field
              label="Name in the link"
              help={`The link ends in /${slugOf(slug ?? share?.slug ?? name)}`}
              error={problemOf(error, 'slug')}
            >
              {(control) => (
                <input
                  {...control}
                  value={slug ?? share?.slug ?? slugOf(name)}
                  autocomplete="off"
                  onInput={(event) => setSlug(event.currentTarget.value)}
                />
              )}
            </Field>
            <Field
              label="Opens with"
              help="The view that readers see first."
              error={problemOf(error, 'preferred_pane')}
            >
              {(control) => (
                <select
                  {...control}
                  value={pane ?? share?.preferred_pane ?? 'overview'}
                  onChange={(event) => setPane(event.currentTarget.value as PaneId)}
                >
                  {PANE_IDS.map((pane) => (
                    <option key={pane} value={pane}>
                      {PANES[pane].title}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <PresentationFields
              stored={share}
              change={presentation}
              findings={findings}
              question={session.payload.research_question}
              error={error}
              changed={setPresentation}
            />
          </div>
          <PatternFields
            stored={share}
            change={presentation}
            findings={findings}
            error={error}
            changed={setPresentation}
          />
          {isJudgedSince && (
            <label class="check">
              <input
                type="checkbox"
                checked={showsChanges}
                onChange={(event) => setShowsChanges(event.currentTarget.checked)}
              />
              <span>
                Show readers what changed since the page that they see now, with the values that it had
              </span>
            </label>
          )}
          <Failure
            error={error ?? known.error}
            retry={share === undefined ? known.reload : undefined}
            fields={['slug', 'preferred_pane', ...fieldsOf(findings)]}
          />
          <div class="form-actions">
            <button
              id={PUBLISH_BUTTON}
              type="submit"
              class="primary"
              disabled={busy !== '' || share === undefined}
            >
              {busy === 'publish' ? 'Publishing …' : isPublic ? 'Publish again' : 'Publish'}
            </button>
            {isPublic && (
              <button type="button" disabled={busy !== ''} onClick={() => setHiding(true)}>
                {busy === 'hide' ? 'Hiding …' : 'Hide'}
              </button>
            )}
          </div>
          <div aria-live="polite">
            {isPublic && <ShareLink key={share.url} url={share.url} />}
            {share && (
              <p class="share-state">
                {isPublic
                  ? `Everyone with the link can read it. Frozen ${instant(share.snapshot_taken_at)}.`
                  : 'Hidden: its link says “not found”.'}
              </p>
            )}
            {isJudgedSince && (
              <p class="notice">
                It was judged again since: readers still see the judgement before, and are told so. Publish
                again to show them the last one.
              </p>
            )}
          </div>
        </form>
        <DownloadFiles session={session} />
        {isHiding && (
          <Confirm
            title="Hide the page?"
            yes="Hide it"
            busy="Hiding …"
            no="Keep it public"
            onYes={() => put(false)}
            close={() => setHiding(false)}
          >
            <p>Its link says “not found” until you publish again; the link stays the same.</p>
          </Confirm>
        )}
      </div>
    </div>
  );
}

const isBefore = (taken: string | null, judged: string) =>
  taken !== null && Date.parse(taken) < Date.parse(judged);
