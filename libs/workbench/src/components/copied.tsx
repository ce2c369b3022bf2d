import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Field } from './field.tsx';

/** A text to see and to copy, with what else can be done with it. */
export function Copied({
  label,
  value,
  copy,
  help,
  children,
}: {
  readonly label: string;
  readonly value: string;
  readonly copy: string;
  readonly help?: string;
  readonly children?: ComponentChildren;
}) {
  const control = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');

  async function toClipboard(): Promise<void> {
    control.current!.select();
    try {
      await navigator.clipboard.writeText(value);
      setSaid('Copied.');
    } catch {
      // Pages on addresses that are not secure have no clipboard.
      setSaid('It is selected: copy it with Ctrl+C.');
    }
  }

  return (
    <>
      <Field label={label} {...(help !== undefined && { help })}>
        {(props) => (
          <input
            {...props}
            ref={control}
            readOnly
            value={value}
            class="code"
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <div class="form-actions">
        <button type="button" onClick={() => void toClipboard()}>
          {copy}
        </button>
        {children}
        <span role="status">{said}</span>
      </div>
    </>
  );
}
