import { useId, useRef, useState } from 'preact/hooks';
import { UserText } from '@platform/viewer/browser';
import { isPathPart, sessionPath } from '../api/api.ts';
import { ApiError, problemOf } from '../api/api-error.ts';
import type { InvitedRole, Member } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { focusFirstError } from '../browser/focus.ts';
import { useFetched } from '../browser/use-fetched.ts';
import { Dialog } from '../components/dialog.tsx';
import { Failure } from '../components/failure.tsx';
import { Field, type ControlProps } from '../components/field.tsx';
import { ROLE_WORDS } from '../api/rights.ts';

/** Of a user who is called `.` or `..`. */
const UNADDRESSABLE =
  'no web address can hold this name; an assistant can invite its user with invite_to_session';

const ROLES = ['read', 'edit', 'publish'] as const satisfies readonly InvitedRole[];

/** Id of the button that opens the colleagues of a session. */
export const INVITE_BUTTON = 'invite';

/** A button that opens the colleagues of a session. */
export function InviteColleagues({ sessionId }: { readonly sessionId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button id={INVITE_BUTTON} type="button" onClick={() => setOpen(true)}>
        Invite colleagues
      </button>
      {isOpen && <InviteDialog sessionId={sessionId} close={() => setOpen(false)} />}
    </>
  );
}

/** Who is invited to a session and to what; invites by name, gives other roles, takes invitations back. */
function InviteDialog({ sessionId, close }: { readonly sessionId: string; readonly close: () => void }) {
  const api = useApi();
  const titleId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<InvitedRole>('read');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const members = useFetched<readonly Member[]>(sessionPath(sessionId, 'members'));

  /** Does one thing, shows its error in place, and reads who is invited then. */
  async function run(act: () => Promise<string>): Promise<void> {
    setBusy(true);
    setError(null);
    setSaid('');
    try {
      setSaid(await act());
      members.reload();
    } catch (failure) {
      setError(failure);
      focusFirstError(form.current);
    }
    setBusy(false);
  }
  const put = async (name: string, next: InvitedRole) => {
    if (!isPathPart(name)) throw new ApiError(422, `username: ${UNADDRESSABLE}`);
    const body = { role: next };
    const member = await api<Member>('PUT', sessionPath(sessionId, 'members', name), { body });
    return `${member.username} ${ROLE_WORDS[member.role]}.`;
  };
  const remove = async (name: string) => {
    if (!isPathPart(name)) throw new ApiError(422, `username: ${UNADDRESSABLE}`);
    await api('DELETE', sessionPath(sessionId, 'members', name));
    return `${name} is no longer invited.`;
  };

  return (
    <Dialog class="box" labelledBy={titleId} onClose={close}>
      <h2 id={titleId}>Invite colleagues</h2>
      <p>
        Users of your organization work on this investigation with you. You can take it back at any time.
        Service accounts cannot be invited: policies let them in.
      </p>
      <form
        ref={form}
        class="form-grid"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            if (username.trim() === '') throw new ApiError(422, 'username: say whom you invite');
            const words = await put(username.trim(), role);
            setUsername('');
            return words;
          });
        }}
      >
        <Field label="Username" error={problemOf(error, 'username')}>
          {(control) => (
            <input
              {...control}
              value={username}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              onInput={(event) => setUsername(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Role" error={problemOf(error, 'role')}>
          {(control) => <RoleChoice {...control} role={role} choose={setRole} />}
        </Field>
        <div class="form-actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? 'Saving …' : 'Invite'}
          </button>
        </div>
      </form>
      <Failure error={error} fields={['username', 'role']} />
      <p role="status">{said}</p>
      <Failure error={members.error} retry={members.reload} />
      {members.value?.length === 0 && <p class="empty">Nobody is invited yet.</p>}
      {members.value !== null && members.value.length > 0 && (
        <table class="data-table">
          <caption>Invited colleagues</caption>
          <thead>
            <tr>
              <th scope="col">Username</th>
              <th scope="col">Role</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {members.value.map((member) => (
              <tr key={member.user_id}>
                <th scope="row">
                  <UserText text={member.username} />
                </th>
                <td data-title="Role">
                  <RoleChoice
                    aria-label={`Role of ${member.username}`}
                    role={member.role}
                    choose={(next) => void run(() => put(member.username, next))}
                  />
                </td>
                <td>
                  <button
                    type="button"
                    disabled={isBusy}
                    onClick={() => void run(() => remove(member.username))}
                  >
                    Remove<span class="visually-hidden"> {member.username}</span>
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="form-actions">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function RoleChoice({
  role,
  choose,
  ...control
}: Partial<ControlProps> & {
  readonly 'aria-label'?: string;
  readonly role: InvitedRole;
  readonly choose: (role: InvitedRole) => void;
}) {
  return (
    <select {...control} value={role} onChange={(event) => choose(event.currentTarget.value as InvitedRole)}>
      {ROLES.map((each) => (
        <option key={each} value={each}>
          {ROLE_WORDS[each]}
        </option>
      ))}
    </select>
  );
}
