import type { SubjectResult } from '@platform/opinion-fusion';
import { guessedFinding, plain, readable, Sentence, statementOf, UserText } from '@platform/viewer/browser';
import { problemOf } from '../api/api-error.ts';
import type { Share } from '../api/wire.ts';
import { Field } from '../components/field.tsx';
import { questionKey, questionName, questionOf, QuestionOptions } from '../components/question-options.tsx';

/** How a share is presented, as far as its author changed it here; null clears. */
export type PresentationChange = Partial<
  Pick<Share, 'answer_finding' | 'patterns' | 'byline' | 'publisher' | 'contact'>
>;

interface Props {
  readonly stored: Share | null | undefined;
  readonly change: PresentationChange;
  /** Findings of the last judgement; empty until they are loaded. */
  readonly findings: readonly SubjectResult[];
  readonly question: string;
  readonly error: unknown;
  readonly changed: (change: PresentationChange) => void;
}

/** Where a problem of the sentence of a property is. */
const patternPath = (predicate: string) => `patterns.${predicate}`;

/** The fields of the body that have controls of their own here. */
export const fieldsOf = (findings: readonly SubjectResult[]): readonly string[] => [
  'answer_finding',
  ...TEXTS.map(({ name }) => name),
  ...findings.map(({ predicate }) => patternPath(predicate)),
];

const TEXTS = [
  { name: 'byline', label: 'Author', help: 'Shown on the page, in its citation and its image.' },
  { name: 'publisher', label: 'Publisher', help: '' },
  { name: 'contact', label: 'Contact', help: 'Where readers write to.' },
] as const;

/** Which finding answers the question, and who stands behind the page. */
export function PresentationFields({ stored, change, findings, question, error, changed }: Props) {
  const answer = change.answer_finding === undefined ? stored?.answer_finding : change.answer_finding;
  const isMarked = answer && questionOf(findings, questionKey(answer)) !== undefined;
  const guessed = guessedFinding(findings, question);
  return (
    <>
      <Field
        label="The answer"
        help={
          isMarked || findings.length < 2 ? (
            'The finding that the page begins with.'
          ) : (
            <strong>
              Which finding answers “
              <UserText text={question} />
              ”? Until you choose one, the page begins with the sentence of the finding named here.
            </strong>
          )
        }
        error={problemOf(error, 'answer_finding')}
      >
        {(control) => (
          <select
            {...control}
            value={isMarked ? questionKey(answer) : ''}
            onChange={({ currentTarget: { value } }) => {
              const found = questionOf(findings, value);
              changed({
                ...change,
                answer_finding: found ? { subject_id: found.subject_id, predicate: found.predicate } : null,
              });
            }}
          >
            <option value="">{guessed ? `Not chosen: ${questionName(guessed)}` : 'Not chosen'}</option>
            <QuestionOptions findings={findings} />
          </select>
        )}
      </Field>
      {TEXTS.map(({ name, label, help }) => (
        <Field key={name} label={label} help={help} error={problemOf(error, name)}>
          {(control) => (
            <input
              {...control}
              dir="auto"
              value={(change[name] === undefined ? stored?.[name] : change[name]) ?? ''}
              onInput={({ currentTarget: { value } }) =>
                changed({ ...change, [name]: value.trim() === '' ? null : value })
              }
            />
          )}
        </Field>
      ))}
    </>
  );
}

/** The sentence of each property, as the page says its findings. */
export function PatternFields({ stored, change, findings, error, changed }: Omit<Props, 'question'>) {
  const patterns = (change.patterns === undefined ? stored?.patterns : change.patterns) ?? {};
  const predicates = [...new Set(findings.map(({ predicate }) => predicate))];
  if (predicates.length === 0) return null;
  const set = (predicate: string, text: string) => {
    const { [predicate]: _gone, ...others } = patterns;
    const next = text.trim() === '' ? others : { ...others, [predicate]: text };
    changed({ ...change, patterns: Object.keys(next).length === 0 ? null : next });
  };
  return (
    <details class="more-fields">
      <summary>How findings are worded{summaryOf(patterns)}</summary>
      <p class="field-help">
        A sentence for each property, with {'{subject}'} and, unless it is answered by yes or no, {'{value}'},
        such as “{'{subject}'} was built by {'{value}'}”. Left empty, the page makes one from the name of the
        property.
      </p>
      <div class="form-grid">
        {predicates.map((predicate) => {
          const pattern = Object.hasOwn(patterns, predicate) ? patterns[predicate] : undefined;
          const example = findings.find((finding) => finding.predicate === predicate)!;
          return (
            <Field
              key={predicate}
              label={`Sentence for “${plain(readable(predicate))}”`}
              help={
                <>
                  Reads: <Sentence parts={statementOf({ result: example, pattern: isComplete(pattern) })} />.
                </>
              }
              error={problemOf(error, patternPath(predicate)) ?? problemOfPattern(pattern, example)}
            >
              {(control) => (
                <input
                  {...control}
                  dir="auto"
                  value={pattern ?? ''}
                  onInput={({ currentTarget: { value } }) => set(predicate, value)}
                />
              )}
            </Field>
          );
        })}
      </div>
    </details>
  );
}

/** A pattern that already says whom it is about. */
const isComplete = (pattern: string | undefined) => (pattern?.includes('{subject}') ? pattern : undefined);

/** What keeps a page from using a pattern for a finding, while it is typed. */
function problemOfPattern(pattern: string | undefined, { leading_value: value }: SubjectResult) {
  if (pattern === undefined) return undefined;
  if (!isComplete(pattern)) return 'Must contain {subject}: it cannot be published without.';
  if (pattern.includes('{value}') || value === null || value === 'true') return undefined;
  return 'Must contain {value}: until then the page words this itself, for its answer is not yes or no.';
}

function summaryOf(patterns: Readonly<Record<string, string>>): string {
  const count = Object.values(patterns).filter(isComplete).length;
  return count === 0 ? '' : ` (${count} set)`;
}
