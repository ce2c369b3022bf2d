import type { SubjectResult } from '@platform/opinion-fusion';
import { plain, questionSubject, readable, shortened } from '@platform/viewer/browser';

type Question = Pick<SubjectResult, 'subject_id' | 'predicate'>;
const CHARACTERS = 90;

/** What a question is called as the value of an option. */
export const questionKey = ({ subject_id, predicate }: Question): string =>
  JSON.stringify([subject_id, predicate]);

/** The question of a judgement that has the key. */
export const questionOf = (findings: readonly SubjectResult[], key: string): SubjectResult | undefined =>
  findings.find((finding) => questionKey(finding) === key);

/** `MV Aurora: flag state`, for controls that hold no markup. */
export const questionName = ({ subject_name, predicate }: SubjectResult): string =>
  shortened(`${plain(questionSubject(subject_name, predicate))}: ${plain(readable(predicate))}`, CHARACTERS);

/** The questions of a judgement as the options of a select. */
export function QuestionOptions({ findings }: { readonly findings: readonly SubjectResult[] }) {
  return (
    <>
      {findings.map((finding) => (
        <option key={questionKey(finding)} value={questionKey(finding)}>
          {questionName(finding)}
        </option>
      ))}
    </>
  );
}
