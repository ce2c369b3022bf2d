import type { ComponentChildren, RefObject } from 'preact';
import { Dialog } from './dialog.tsx';
import { Failure, type FailureFields } from './failure.tsx';

interface Props {
  /** Prefix of the heading's id. */
  readonly id: string;
  readonly isWide?: boolean;
  readonly title: string;
  /** Next to the heading. */
  readonly aside?: ComponentChildren;
  readonly form?: RefObject<HTMLFormElement | null>;
  readonly submit: (event: SubmitEvent) => Promise<void>;
  /** Called by Cancel and by Escape; the owner decides whether the dialog goes. */
  readonly leave: () => void;
  /** The last attempt's error; null without one. */
  readonly error: unknown;
  readonly fields?: FailureFields;
  readonly label: ComponentChildren;
  readonly isDisabled: boolean;
  /** Between the error and the buttons. */
  readonly notice?: ComponentChildren;
  /** Buttons between submit and Cancel, and behind Cancel. */
  readonly before?: ComponentChildren;
  readonly behind?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form in a dialog: heading, fields, what went wrong, and the buttons that stay in view. */
export function EditorDialog(props: Props) {
  const { id, title, aside, form, submit, leave, error, label, isDisabled, notice, children } = props;
  return (
    <Dialog class={props.isWide ? 'editor editor-wide' : 'editor'} labelledBy={`${id}-title`} onClose={leave}>
      <form {...(form && { ref: form })} onSubmit={(event) => void submit(event)} noValidate>
        <header class="editor-head">
          <h2 id={`${id}-title`}>{title}</h2>
          {aside}
        </header>
        {children}
        <Failure error={error} fields={props.fields} />
        {notice}
        <div class="form-actions sticky-actions">
          <button type="submit" class="primary" disabled={isDisabled}>
            {label}
          </button>
          {props.before}
          <button type="button" onClick={leave}>
            Cancel
          </button>
          {props.behind}
        </div>
      </form>
    </Dialog>
  );
}
