import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from './api.ts';
import { Problem, Screen, useAsked, wordsOf } from './parts.tsx';

interface Finding {
  readonly line: number;
  readonly code: string;
  readonly policy_name: string;
  readonly message: string;
  readonly is_refused: boolean;
}

/** The time without typing after which the text is validated. Milliseconds. */
const PAUSE_MS = 350;

/**
 * The policy set of a domain as text: validated as one types, tested, and saved over the version it was read
 * at.
 */
export function PoliciesScreen({ domain }: { readonly domain: string }) {
  const [text, setText] = useState('');
  const [version, setVersion] = useState('');
  const [said, setSaid] = useState<string | null>(null);
  const [isChanged, setIsChanged] = useState(false);
  /** Nothing may be typed meanwhile: what arrives would replace it. */
  const [isReading, setIsReading] = useState(true);
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const saved = useAsked<{ version: number }>();
  const tested = useAsked<{ results: { name: string; passed: boolean; authorized: boolean }[] }>();
  const editor = useRef<HTMLTextAreaElement>(null);
  const latest = useRef('');
  /** Nothing was typed since the save: what it said stands. */
  const isSaved = useRef(false);

  const read = async () => {
    setIsReading(true);
    try {
      const found = await ask<{ text: string; version: number }>('policies', { domain });
      latest.current = found.text;
      setText(found.text);
      setVersion(String(found.version));
      setIsChanged(false);
      setProblem(null);
    } catch (error) {
      setProblem(wordsOf(error));
    } finally {
      setIsReading(false);
    }
  };
  useEffect(() => void read(), [domain]);

  useEffect(() => {
    if (!isChanged) return undefined;
    const timer = setTimeout(() => void validate(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isChanged]);

  async function validate(sent: string): Promise<void> {
    const validated = await ask<{ findings: Finding[]; policies: number }>('validate', {
      domain,
      text: sent,
    }).then(
      ({ findings: found, policies }) => {
        const summary = found.some(({ is_refused: isRefused }) => isRefused)
          ? 'This set would be refused.'
          : `${policies} policies, valid.`;
        return { found, summary, why: null };
      },
      (error: unknown) => ({ found: [], summary: 'This is no policy file.', why: wordsOf(error) }),
    );
    // A response to what was typed before says nothing of what stands there now.
    if (latest.current !== sent) return;
    setFindings(validated.found);
    setProblem(validated.why);
    if (!isSaved.current) setSaid(validated.summary);
  }

  function goTo(line: number): void {
    const start = text.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0);
    editor.current?.focus();
    editor.current?.setSelectionRange(start, start + (text.split('\n')[line - 1]?.length ?? 0));
  }

  const save = () =>
    saved.run(async () => {
      const done = await ask<{ version: number }>('save', { domain, text, version });
      setVersion(String(done.version));
      // What was typed during the save is still to be saved.
      isSaved.current = latest.current === text;
      setIsChanged(!isSaved.current);
      setSaid(`Saved as version ${done.version}.`);
      return done;
    });

  return (
    <Screen
      title="Policies"
      lead={isReading ? 'Reading…' : `Version ${version}${isChanged ? ', changed here' : ''}`}
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
            setText(latest.current);
            setIsChanged(true);
          }}
        />
      </div>
      <div class="form-actions">
        <button
          type="button"
          class="primary"
          disabled={saved.isBusy || !isChanged}
          onClick={() => void save()}
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
        <button type="button" disabled={isReading} onClick={() => void read()}>
          Read again
        </button>
        <span role="status">{said}</span>
      </div>
      <Problem text={saved.error ?? tested.error ?? problem} />
      {findings.length === 0 ? null : (
        <ul class="findings" aria-label="Findings">
          {findings.map(({ line, code, message, is_refused: isRefused }, index) => (
            <li key={index}>
              <button type="button" class="link" onClick={() => goTo(line)}>
                line {line}
              </button>{' '}
              <strong>{isRefused ? 'refused' : 'warning'}</strong> {code}: {message}
            </li>
          ))}
        </ul>
      )}
      <div role="status">
        {tested.value === null ? null : (
          <ul class="findings" aria-label="Tests">
            {tested.value.results.length === 0 ? <li>The text has no tests.</li> : null}
            {tested.value.results.map(({ name, passed, authorized }) => (
              <li key={name}>
                <strong>{passed ? 'passed' : 'failed'}</strong> {name}
                {passed ? '' : `: ${authorized ? 'allowed' : 'denied'}`}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Screen>
  );
}
