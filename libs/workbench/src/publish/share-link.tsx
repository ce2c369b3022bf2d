import { useRef, useState } from 'preact/hooks';
import { Field } from '../components/field.tsx';

/** The link to a public page: to see, to copy, to open. */
export function ShareLink({ url }: { readonly url: string }) {
  const control = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');

  async function copy(): Promise<void> {
    control.current!.select();
    try {
      await navigator.clipboard.writeText(url);
      setSaid('Copied.');
    } catch {
      // Pages on addresses that are not secure have no clipboard.
      setSaid('It is selected: copy it with Ctrl+C.');
    }
  }

  return (
    <div class="share-link">
      <Field label="Link">
        {(props) => (
          <input
            {...props}
            ref={control}
            readOnly
            value={url}
            class="code"
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <div class="form-actions">
        <button type="button" onClick={() => void copy()}>
          Copy link
        </button>
        <a href={url} target="_blank" rel="noreferrer">
          Open the page
        </a>
        <span role="status">{said}</span>
      </div>
    </div>
  );
}
