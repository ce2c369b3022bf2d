import { DomainError } from '@platform/error-contracts';
import type { z } from 'zod';
import { holderOf, type Caller } from '../access/caller.ts';
import {
  findSession,
  loadAuthorizedSession,
  sessionNotFound,
  type LoadedSession,
} from '../access/session-access.ts';
import type { Operation, SessionDeps } from '../ports.ts';
import { MEMBERS_MAX, type Member } from '../store/member-store.ts';
import { MemberReference, type MemberResponse } from '../wire/member-schema.ts';
import { readInput, refuse } from '../wire/read-input.ts';
import { SessionReference } from '../wire/session-schema.ts';

type MemberView = z.output<typeof MemberResponse>;

/**
 * Who is invited to a session, in order of invitation, without those who have left the tenant since. Owner
 * only. Throws `permission_denied` to those who are invited, `rate_limited` and `unavailable`.
 */
export const listSessionMembers: Operation<MemberView[]> = async (deps, input, caller) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'invite');
  return namedMembers(deps, caller, await deps.sessions.listMembers(ref));
};

/**
 * Invites a colleague of the same tenant to a session, or gives them another role. It holds from the next
 * request on, and ends with their membership of the tenant. Owner only. Throws `unprocessable` for a username
 * that no active user of the tenant has, `failed_precondition` without an authorization service, `conflict`
 * for more than MEMBERS_MAX, and as `listSessionMembers`.
 */
export const inviteToSession: Operation<MemberView> = async (deps, input, caller) => {
  const { session_id, username, role } = await deps.inputs.read('invite', input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'invite');
  if (!deps.permissions.hasPolicies(caller))
    throw new DomainError(
      'failed_precondition',
      'nobody can be invited, because the service asks no authz-grpc',
      {
        remedy: 'set INVESTIGATION_AUTHZ_URL',
      },
    );
  if (!deps.permissions.isNamable(caller, session_id))
    throw new DomainError('failed_precondition', 'no policy can speak about a session with this id', {
      remedy: 'invite to a copy whose id has no empty part between slashes',
    });
  const found = await deps.permissions.findColleagues(caller, { usernames: [username] });
  const colleague = found.find(({ isServiceAccount }) => !isServiceAccount);
  if (colleague === undefined)
    throw refuse([
      `username: no active user of your organization is called ${JSON.stringify(username)}; check the spelling, or have an administrator add them; service accounts cannot be invited, policies let them in`,
    ]);
  if (colleague.id === caller.id) throw refuse(['username: is your own; the session is yours already']);
  const { id: userId, lease } = colleague;
  const member = await deps.sessions.putMember(ref, { userId, role, lease, now: deps.now() });
  if (member === 'no_session') throw sessionNotFound();
  if (member === 'full')
    throw new DomainError(
      'conflict',
      `${MEMBERS_MAX} colleagues are invited already, and no session has more`,
      {
        remedy: 'remove one of them, or have an administrator write a policy',
      },
    );
  return viewOf(member, colleague.username);
};

/**
 * Takes an invitation back, from the next request on. Owner only; a member may leave, also a
 * session that a policy keeps them from reading. Throws `not_found` where nobody of that name is invited, and
 * as `listSessionMembers`.
 */
export const removeFromSession: Operation<null> = async (deps, input, caller) => {
  const { session_id, username } = readInput(MemberReference, input);
  const isLeaving = username === caller.username;
  const { ref } = await findSession(deps, caller, session_id);
  if (!isLeaving || (await deps.sessions.readRole(ref, holderOf(caller))) === null)
    await loadAuthorizedSession(deps, caller, session_id, isLeaving ? 'read' : 'invite');
  const userId = isLeaving ? caller.id : await findMember(deps, caller, ref, username);
  if (userId === undefined || !(await deps.sessions.deleteMember(ref, userId)))
    throw new DomainError('not_found', 'nobody of that name is invited to the session');
  return null;
};

async function findMember(
  deps: SessionDeps,
  caller: Caller,
  ref: LoadedSession['ref'],
  username: string,
): Promise<string | undefined> {
  const members = await namedMembers(deps, caller, await deps.sessions.listMembers(ref));
  return members.find((member) => member.username === username)?.user_id;
}

/** Those whose membership of the tenant is the one that they were invited by. */
async function namedMembers(
  { permissions }: SessionDeps,
  caller: Caller,
  members: readonly Member[],
): Promise<MemberView[]> {
  const colleagues = await permissions.findColleagues(caller, { ids: members.map(({ userId }) => userId) });
  const names = new Map(colleagues.map(({ lease, username }) => [lease, username]));
  return members.flatMap((member) => {
    const username = names.get(member.lease);
    return username === undefined ? [] : [viewOf(member, username)];
  });
}

function viewOf({ userId, role, invitedAt }: Member, username: string): MemberView {
  return { user_id: userId, username, role, invited_at: invitedAt.toISOString() };
}
