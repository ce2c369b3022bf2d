import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { embedSnippet } from '@platform/viewer/browser';
import { Field } from '../components/field.tsx';

/** The link to a public page: to see, to copy, to open; and the HTML that puts its card into another site. */
export function ShareLink({ url }: { readonly url: string }) {
  return (
    <div class="share-link">
      <Copied label="Link" value={url} copy="Copy link">
        <a href={url} target="_blank" rel="noreferrer">
          Open the page
        </a>
      </Copied>
      <Copied
        label="To show it in another site"
        value={embedSnippet(url)}
        copy="Copy HTML"
        help="The answer with a link to the page, in a frame. Hiding the page empties it."
      />
    </div>
  );
}

function Copied({
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
