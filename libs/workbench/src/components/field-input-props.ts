import type { Field } from '@platform/opinion-fusion';
import type { Problem } from '../api/problems.ts';

/** What the control of one field is given, whatever kind of field it is. */
export interface FieldInputProps {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Path of the field within the object that is edited. */
  readonly path: string;
  readonly problems: readonly Problem[];
  /** The session's investigation, whose items a field may refer to. */
  readonly payload: object;
  readonly isReadOnly?: boolean;
}
