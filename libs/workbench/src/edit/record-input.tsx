import type { ReliabilityRecord } from '@platform/opinion-fusion';
import { recordWords } from '@platform/viewer/browser';
import { isWithin } from '../api/problems.ts';
import { GroupError } from '../components/field.tsx';
import type { FieldInputProps } from '../components/field-input-props.ts';

/** The record that gave a source its reliability, which comes from the register and is never typed. */
export function RecordInput({ value, path, problems, onChange }: FieldInputProps) {
  if (typeof value !== 'object' || value === null) return null;
  const record = value as ReliabilityRecord;
  return (
    <div class="field">
      <p class="field-help">
        Base reliability {record.base_reliability} {recordWords(record)}.{' '}
        <button type="button" class="quiet" onClick={() => onChange(undefined)}>
          Remove the record
        </button>
      </p>
      <GroupError error={problems.find((problem) => isWithin(problem.path, path))?.message} />
    </div>
  );
}
