import { z } from '@platform/error-contracts/zod-openapi';
import { ROLES } from '../model/role.ts';
import { SessionReference } from './session-schema.ts';

/** Shapes of the colleagues whom the owner of a session invites. */

export const MemberReference = SessionReference.extend({
  username: z
    .string()
    .describe('Username of a colleague, no service account. In a path it cannot be `.` or `..`.'),
});

export const InviteRequest = z
  .strictObject({
    role: z.enum(ROLES).describe('`edit` includes `read`, `publish` includes `edit`.'),
  })
  .openapi('InviteRequest');

export const MemberResponse = z
  .object({
    user_id: z.string(),
    username: z.string(),
    role: z.enum(ROLES),
    invited_at: z.iso.datetime(),
  })
  .openapi('MemberResponse');
