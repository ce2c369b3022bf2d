import { z } from 'zod';
import { inviteToSession, listSessionMembers, removeFromSession } from '../operations/members.ts';
import { valueOfResponse } from '../wire/json-bytes.ts';
import { readInput, refuse } from '../wire/read-input.ts';
import { InviteRequest, MemberReference, MemberResponse } from '../wire/member-schema.ts';
import { SessionReference } from '../wire/session-schema.ts';
import { checkedArguments } from './checked-arguments.ts';
import { EXAMPLE_SESSION } from './examples.ts';
import { listText } from './response-text.ts';
import { inputSchema, outputSchema } from './tool-schema.ts';
import type { Tool } from './tool.ts';
import { DELETES } from './tool.ts';

const ROLES = InviteRequest.shape.role.options;
const Input = SessionReference.extend({
  username: MemberReference.shape.username.nullish(),
  role: z
    .enum([...ROLES, 'none'])
    .nullish()
    .describe('none takes the invitation back.'),
});
const Output = z.object({ members: MemberResponse.array() });

/** Tools on the colleagues of a session. */
export const MEMBER_TOOLS: readonly Tool[] = [
  {
    name: 'invite_to_session',
    title: 'Invite colleagues to your session',
    description:
      'Lets a colleague read, edit or publish your session, or no longer (role none); without username lists who is invited. Ask your user first.',
    toolset: 'colleagues',
    annotations: DELETES,
    input: inputSchema(Input),
    output: outputSchema(Output),
    example: EXAMPLE_SESSION,
    exampleNeeds: ['create_investigation_session'],
    reading: '`members` are those who are invited now. `edit` includes `read`, `publish` includes `edit`.',
    async call(deps, sent, { caller, ...options }) {
      const { session_id, username, role } = readInput(Input, checkedArguments(sent));
      if ((username ?? null) === null && (role ?? null) !== null)
        throw refuse(['username: say whom the role is for']);
      if ((username ?? null) !== null) {
        if ((role ?? null) === null) throw refuse([`role: must be one of ${ROLES.join(', ')}, none`]);
        const operation = role === 'none' ? removeFromSession : inviteToSession;
        const given = role === 'none' ? { session_id, username } : { session_id, username, role };
        await operation(deps, given, caller, options);
        if (username === caller.username)
          return { text: 'You have left the session.', data: { members: [] } };
      }
      const members = valueOfResponse(await listSessionMembers(deps, { session_id }, caller, options));
      const text = listText(members, 'members', (member) => `${member.username}: ${member.role}`);
      return { text, data: { members } };
    },
  },
];
