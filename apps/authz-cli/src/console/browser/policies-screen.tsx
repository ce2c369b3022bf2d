import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, Failed } from './api.ts';
import { LongList, Problem, Screen, useAsked, Words, wordsOf, type Unlisted } from './parts.tsx';

interface Finding {
  /** Null for what is about the set. */
  readonly line: number | null;
  readonly code: string;
  readonly policy_name: string;
  readonly message: string;
  readonly is_refused: boolean;
}

interface Plan {
  readonly summary: string;
  readonly changes: readonly { is_added: boolean; policy: string; words: string; effect: string }[];
  /** The changes that are not among these. */
  readonly unlisted: Unlisted;
  readonly replay: readonly string[];
}

interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  readonly authorized: boolean;
  /** Why, or what the test does not say. */
  readonly problems: readonly string[];
}

/** The version that was written, or which policies would leave, and nothing was written. */
type Saved = { readonly version: number; readonly text: string } | { readonly leaves: string };

interface Draft {
  readonly text: string;
  readonly version: string;
}

/** Texts that are not saved, by domain: they outlast a look at another screen or domain. */
const drafts = new Map<string, Draft>();

/** Whether there is text that closing the page would lose. */
export function hasDrafts(): boolean {
  return drafts.size > 0;
}

/**
 * The file of a domain that was last saved, with the version that it became: the service stores its policies,
 * and not its tests and comments. It outlasts a reload of the page, and ends with its tab.
 */
const files = {
  key: (domain: string) => `policy-file ${domain}`,
  get(domain: string): Draft | null {
    try {
      return JSON.parse(sessionStorage.getItem(this.key(domain)) ?? 'null') as Draft | null;
    } catch {
      return null;
    }
  },
  /** Returns whether the browser keeps it. */
  set(domain: string, file: Draft): boolean {
    try {
      sessionStorage.setItem(this.key(domain), JSON.stringify(file));
      return true;
    } catch {
      // The storage is full or not allowed: an earlier file would pass for this one.
      this.delete(domain);
      return false;
    }
  },
  delete(domain: string): void {
    try {
      sessionStorage.removeItem(this.key(domain));
    } catch {
      // Nothing was kept.
    }
  },
};

function download(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  link.download = 'policies.yaml';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** What a validation said, and of which text. */
interface Validated {
  readonly of: string;
  readonly findings: readonly Finding[];
  readonly problem: string | null;
}

const NOT_VALIDATED: Validated = { of: '', findings: [], problem: null };

/** What a plan decides besides: recorded checks since then. */
const SINCE = {
  '': 'none',
  '1d': 'of the last day',
  '7d': 'of the last 7 days',
  '30d': 'of the last 30 days',
};

/** The time without typing after which the text is validated. Milliseconds. */
const PAUSE_MS = 350;

/**
 * The policy set of a domain as text: validated as one types, tested, planned, and saved over the version it
 * was read at.
 */
export function PoliciesScreen({ domain }: { readonly domain: string }) {
  const [text, setText] = useState('');
  const [version, setVersion] = useState('');
  const [said, setSaid] = useState<string | null>(null);
  const [isChanged, setIsChanged] = useState(false);
  /** Nothing may be typed meanwhile: what arrives would replace it. */
  const [isReading, setIsReading] = useState(true);
  const [validated, setValidated] = useState<Validated>(NOT_VALIDATED);
  const saved = useAsked<Saved>(text);
  const tested = useAsked<{ results: TestResult[] }>(text);
  const planned = useAsked<Plan>(text);
  const [since, setSince] = useState('');
  /** The file that was saved in this tab, where it has more than the service stores. */
  const [file, setFile] = useState<Draft | null>(null);
  const [isKept, setIsKept] = useState(true);
  const editor = useRef<HTMLTextAreaElement>(null);
  const latest = useRef('');
  /** Nothing was typed since the save: what it said stands. */
  const isSaved = useRef(false);

  const show = (shown: Draft, isDraft: boolean) => {
    latest.current = shown.text;
    setText(shown.text);
    setVersion(shown.version);
    setIsChanged(isDraft);
    setValidated(NOT_VALIDATED);
    setSaid(null);
    for (const asked of [saved, tested, planned]) asked.clear();
  };
  const read = async (isAgain: boolean) => {
    setIsReading(true);
    drafts.delete(domain);
    try {
      const found = await ask<{ text: string; version: number }>('policies', { domain });
      const stored = { text: found.text, version: String(found.version) };
      const kept = files.get(domain);
      setFile(kept);
      show(!isAgain && kept?.version === stored.version ? kept : stored, false);
    } catch (error) {
      setValidated({ of: latest.current, findings: [], problem: wordsOf(error) });
      setSaid('The stored set was not read, so nothing can be saved over it.');
    } finally {
      setIsReading(false);
    }
  };
  useEffect(() => {
    const draft = drafts.get(domain);
    if (draft === undefined) return void read(false);
    setFile(files.get(domain));
    show(draft, true);
    setIsReading(false);
  }, [domain]);

  useEffect(() => {
    if (!isChanged) return undefined;
    const timer = setTimeout(() => void validate(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isChanged]);

  async function validate(sent: string): Promise<void> {
    const { summary, ...found } = await ask<{ findings: Finding[]; policies: number }>('validate', {
      domain,
      text: sent,
    }).then(
      ({ findings, policies }) => ({
        findings,
        problem: null,
        summary: findings.some(({ is_refused: isRefused }) => isRefused)
          ? 'This set would be refused.'
          : `${policies} ${policies === 1 ? 'policy' : 'policies'}, valid.`,
      }),
      (error: unknown) => ({
        findings: [],
        problem: wordsOf(error),
        // Only what was read can be called no policy file.
        summary:
          error instanceof Failed && error.status === 400 ? 'This is no policy file.' : 'Not validated.',
      }),
    );
    // A response to what was typed before says nothing of what stands there now.
    if (latest.current !== sent) return;
    setValidated({ of: sent, ...found });
    if (!isSaved.current) setSaid(summary);
  }

  function goTo(line: number): void {
    const start = text.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0);
    editor.current?.focus();
    editor.current?.setSelectionRange(start, start + (text.split('\n')[line - 1]?.length ?? 0));
  }

  const save = (leave: boolean) =>
    saved.run(async () => {
      const done = await ask<Saved>('save', { domain, text, version, leave });
      if ('leaves' in done) return done;
      setVersion(String(done.version));
      const saving = { text, version: String(done.version) };
      const hasMore = done.text.trim() !== text.trim();
      if (hasMore) setIsKept(files.set(domain, saving));
      else files.delete(domain);
      setFile(hasMore ? saving : null);
      // What was typed during the save is still to be saved.
      isSaved.current = latest.current === text;
      setIsChanged(!isSaved.current);
      if (isSaved.current) drafts.delete(domain);
      else drafts.set(domain, { text: latest.current, version: String(done.version) });
      setSaid(
        String(done.version) === version
          ? `Nothing changed: version ${version} stays.`
          : `Saved as version ${done.version}.`,
      );
      // After the save, the plan no longer says what saving would change.
      planned.clear();
      // The service responds again: what it did not validate before is validated now.
      if (validated.problem !== null) void validate(text);
      return done;
    });

  const problem = saved.error ?? tested.error ?? planned.error ?? validated.problem;
  const { findings } = validated;
  /** Gone once the text is another one: what would leave must be asked again. */
  const leaves = saved.value !== null && 'leaves' in saved.value ? saved.value.leaves : null;
  const shownTests = tested.value ?? tested.earlier;
  const isEarlier = validated.of !== text && (validated.problem !== null || findings.length > 0);

  return (
    <Screen
      title="Policies"
      lead={isReading ? 'Reading…' : version && `Version ${version}${isChanged ? ', changed here' : ''}`}
    >
      <div class="field">
        <label for="policy-text">Policy file (YAML), tests included</label>
        <textarea
          id="policy-text"
          class="code"
          ref={editor}
          rows={22}
          spellcheck={false}
          readOnly={isReading}
          value={text}
          onInput={(event) => {
            latest.current = event.currentTarget.value;
            isSaved.current = false;
            drafts.set(domain, { text: latest.current, version });
            setText(latest.current);
            setIsChanged(true);
            // The message is about an earlier text.
            setSaid(null);
          }}
        />
      </div>
      <div class="form-actions">
        <button
          type="button"
          class="primary"
          disabled={saved.isBusy || !isChanged || version === ''}
          onClick={() => void save(false)}
        >
          Save
        </button>
        <button
          type="button"
          disabled={tested.isBusy}
          onClick={() => void tested.run(() => ask('test', { text }))}
        >
          Run tests
        </button>
        <button type="button" disabled={isReading} onClick={() => void read(true)}>
          {isChanged ? 'Discard and read again' : 'Read again'}
        </button>
        <span role="status">{said}</span>
      </div>
      {file === null || isChanged ? null : (
        <FileNote file={file} isKept={isKept} shown={{ text, version }} onShow={() => show(file, false)} />
      )}
      <div role="alert">
        {leaves === null ? null : (
          <p class="form-actions">
            <span>{leaves}. Nothing is saved yet.</span>
            <button type="button" disabled={saved.isBusy} onClick={() => void save(true)}>
              Save all the same
            </button>
          </p>
        )}
      </div>
      <div class="form-actions">
        <button
          type="button"
          disabled={planned.isBusy}
          onClick={() => void planned.run(() => ask('plan', { domain, text, since }))}
        >
          Show plan
        </button>
        <label class="beside">
          <span>with recorded checks</span>
          <select value={since} onChange={(event) => setSince(event.currentTarget.value)}>
            {Object.entries(SINCE).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Problem text={problem} />
      <PlanSection plan={planned.value} earlier={planned.earlier} isBusy={planned.isBusy} />
      {isEarlier ? <p class="faint">Of an earlier text, until this one is validated:</p> : null}
      <LongList
        class="findings"
        label="Findings"
        items={findings.map(({ line, code, message, is_refused: isRefused }, index) => (
          <Fragment key={index}>
            {line === null ? null : (
              <button type="button" class="link" onClick={() => goTo(line)}>
                line {line}
              </button>
            )}{' '}
            <strong>{isRefused ? 'refused' : 'warning'}</strong> {code}: {message}
          </Fragment>
        ))}
      />
      <div role="status">
        {shownTests === null ? null : (
          <p class="count">
            {tested.value === null ? 'An earlier text: ' : ''}
            {testSummary(shownTests.results)}
          </p>
        )}
      </div>
      <LongList
        class="findings"
        label="Tests"
        items={(shownTests?.results ?? []).map(({ name, passed, authorized, problems }, index) => (
          <Fragment key={index}>
            <strong>{passed ? 'passed' : 'failed'}</strong> {name}
            {passed ? '' : `: ${authorized ? 'allowed' : 'denied'}`}
            {problems.map((problem) => `; ${problem}`).join('')}
          </Fragment>
        ))}
      />
    </Screen>
  );
}

/** Says where the tests and comments of the saved file are, and offers the file. */
function FileNote({
  file,
  isKept,
  shown,
  onShow,
}: {
  readonly file: Draft;
  readonly isKept: boolean;
  readonly shown: Draft;
  readonly onShow: () => void;
}) {
  const isPresent = file.version === shown.version;
  const words = !isPresent
    ? `The tests and comments of the file saved here belong to version ${file.version}.`
    : file.text !== shown.text
      ? 'The file saved here as this version has more than the service stores, such as tests and comments.'
      : isKept
        ? 'Tests and comments are not stored by the service: they are kept in this browser tab only.'
        : 'Tests and comments are not stored by the service, and this browser does not keep them.';
  return (
    <p class="form-actions" role="status">
      <span>{words}</span>
      {isPresent && file.text !== shown.text ? (
        <button type="button" onClick={onShow}>
          Show the file
        </button>
      ) : null}
      <button type="button" onClick={() => download(file.text)}>
        Download the file
      </button>
    </p>
  );
}

function testSummary(results: readonly TestResult[]): string {
  if (results.length === 0) return 'The text has no tests.';
  const passed = results.filter((result) => result.passed).length;
  return `${passed} passed, ${results.length - passed} failed`;
}

/**
 * What saving would change, in words, each with a request that shows it. The summary alone is live: a screen
 * reader would read out every change.
 */
function PlanSection({
  plan,
  earlier,
  isBusy,
}: {
  readonly plan: Plan | null;
  readonly earlier: Plan | null;
  readonly isBusy: boolean;
}) {
  const shown = isBusy ? null : (plan ?? earlier);
  return (
    <section class="plan" aria-label={shown === null ? undefined : 'Plan'}>
      <div role="status">
        {isBusy ? <p class="count">Planning…</p> : null}
        {shown === null ? null : (
          <>
            <h2>{plan === null ? 'What an earlier text would have changed' : 'What saving changes'}</h2>
            <p class="count">{shown.summary}</p>
          </>
        )}
      </div>
      {shown === null ? null : (
        <>
          <LongList class="findings" label="Changes" items={planItems(shown)} unlisted={shown.unlisted} />
          <LongList class="findings" label="Recorded checks" items={replayItems(shown)} />
        </>
      )}
    </section>
  );
}

function planItems({ changes }: Plan) {
  return changes.map(({ is_added: isAdded, policy, words, effect }, index) => (
    <Fragment key={index}>
      <strong>{isAdded ? 'added' : 'removed'}</strong> <code>{policy}</code> <Words text={words} />
      <br />
      <span class="faint">
        <Words text={effect} />
      </span>
    </Fragment>
  ));
}

function replayItems({ replay }: Plan) {
  return replay.map((line, index) => <Words key={index} text={line} />);
}
