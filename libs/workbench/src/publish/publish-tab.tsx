import { useEffect, useRef, useState } from 'preact/hooks';
import { instant, PANE_IDS, PANES, type PaneId, slugOf } from '@platform/viewer/browser';
import { sessionPath } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import type { Session, Share, SharedSession } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { focusFirstError } from '../browser/focus.ts';
import { Confirm } from '../components/confirm.tsx';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import { InterpretationForm } from './interpretation-form.tsx';
import { ShareLink } from './share-link.tsx';

interface Props {
  readonly session: Session;
  readonly isEdited: boolean;
  readonly isShown: boolean;
  readonly changed: (change: (session: Session) => Session) => void;
}

/** Publishes the last judgement under a link that everyone can open, or hides it again. */
export function PublishTab({ session, isEdited, isShown, changed }: Props) {
  const api = useApi();
  const { session_id: id, judged_at, name } = session;
  const form = useRef<HTMLFormElement>(null);
  /** Undefined until it is known, null where there is none. */
  const [share, setShare] = useState<Share | null>();
  const [slug, setSlug] = useState<string | null>(null);
  const [pane, setPane] = useState<PaneId | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState<'' | 'publish' | 'hide'>('');
  const [isHiding, setHiding] = useState(false);

  useEffect(() => {
    if (!isShown || judged_at === null || share !== undefined) return undefined;
    const stop = new AbortController();
    api<SharedSession[]>('GET', '/shares', { signal: stop.signal }).then(
      (shares) => setShare(shares.find(({ session_id }) => session_id === id) ?? null),
      (failure: unknown) => {
        if (!stop.signal.aborted) setError(failure);
      },
    );
    return () => stop.abort();
  }, [isShown, judged_at, attempt]);

  async function put(isPublic: boolean): Promise<void> {
    setError(null);
    setBusy(isPublic ? 'publish' : 'hide');
    try {
      const next = await api<Share>('PUT', sessionPath(id, 'share'), {
        body: {
          public: isPublic,
          slug: slug ?? share?.slug ?? name,
          preferred_pane: pane ?? share?.preferred_pane ?? 'overview',
        },
      });
      setShare(next);
      setSlug(null);
      setPane(null);
      requestAnimationFrame(() =>
        form.current?.querySelector('.share-link')?.scrollIntoView({ block: 'nearest' }),
      );
    } catch (failure) {
      setError(failure);
      focusFirstError(form.current);
    }
    setBusy('');
  }

  if (judged_at === null)
    return (
      <p class="empty">
        There is nothing to publish before the investigation is judged. Choose Judge above; the verdicts can
        then be published here.
      </p>
    );
  const isPublic = share?.is_public === true;
  return (
    <div class="publish">
      <header class="pane-header">
        <h2>Publish</h2>
        <p>A frozen page of the last judgement. Later edits do not change it; publishing again does.</p>
      </header>
      <div class="publish-parts">
        <InterpretationForm session={session} changed={changed} />
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
              error={
                error instanceof ApiError
                  ? error.problems.find(({ path }) => path === 'slug')?.message
                  : undefined
              }
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
            <Field label="Opens with" help="The view that readers see first.">
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
          </div>
          <Failure
            error={error}
            retry={
              share === undefined
                ? () => {
                    setError(null);
                    setAttempt(attempt + 1);
                  }
                : undefined
            }
          />
          <div class="form-actions">
            <button type="submit" class="primary" disabled={busy !== '' || share === undefined}>
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
          </div>
        </form>
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
