import type { Field } from '@platform/opinion-fusion';
import { capital } from '@platform/viewer/browser';
import type { Problem } from '../api/api-error.ts';

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

/** The messages of all problems at a path, as sentences; undefined where there are none. */
export function errorAt(problems: readonly Problem[], path: string): string | undefined {
  const found = problems.filter((problem) => problem.path === path).map(({ message }) => sentence(message));
  return found.length > 0 ? found.join(' ') : undefined;
}

/** The checker's message as it reads next to a control, where the type of the value goes without saying. */
function sentence(message: string): string {
  if (message.startsWith('is required')) return 'Fill this in.';
  return `${capital(message)}${message.endsWith('.') ? '' : '.'}`;
}
