import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** What a control needs to be tied to its label, help and error. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

interface Props {
  readonly label: ComponentChildren;
  readonly help?: ComponentChildren;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
  readonly class?: string;
  readonly children: (control: ControlProps) => ComponentChildren;
}

/** One labelled control with its help below the label and its error below itself. */
export function Field({ label, help, error, isRequired, class: className = '', children }: Props) {
  const id = useId();
  const described = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class={`field ${className}`}>
      <label for={id}>
        {label}
        {isRequired && <span class="required"> required</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {help && (
        <p class="field-help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

/** What is wrong with a group of controls as a whole, or with a part of it that has none. */
export function GroupError({ error }: { readonly error: string | undefined }) {
  return error === undefined ? null : <p class="field-error">{error}</p>;
}
