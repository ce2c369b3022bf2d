import { getUsage, UsageBody } from '../../operations/get-usage.ts';
import {
  getKey,
  KeyBody,
  KeyList,
  listKeys,
  MintKey,
  mintKey,
  revokeKey,
  RotateKey,
  rotateKey,
} from '../../operations/keys.ts';
import { operation, type ApiOperation } from './operation.ts';

/** Operations on keys, and what their owner uses. */
export const KEYS: readonly ApiOperation[] = [
  operation({
    method: 'post',
    path: '/v1/key',
    id: 'mintKey',
    summary: 'Make a key; its text is shown once',
    action: 'key:manage',
    body: MintKey,
    isRepeatable: true,
    success: [201, KeyBody],
    async run({ deps, caller, input }) {
      const key = await mintKey(deps, caller, input);
      return { status: 201, headers: { Location: `/v1/key/${key.id}` }, json: key };
    },
  }),
  operation({
    method: 'get',
    path: '/v1/key',
    id: 'listKeys',
    summary: 'List keys',
    action: 'key:manage',
    isRevocation: true,
    success: [200, KeyList],
    run: async ({ deps, caller }) => ({ status: 200, json: await listKeys(deps, caller) }),
  }),
  operation({
    method: 'get',
    path: '/v1/key/:id',
    id: 'getKey',
    summary: 'Read a key, without its text',
    action: 'key:manage',
    isRevocation: true,
    success: [200, KeyBody],
    errors: ['not_found'],
    run: async ({ deps, caller, params }) => ({
      status: 200,
      json: await getKey(deps, caller, params['id']!),
    }),
  }),
  operation({
    method: 'delete',
    path: '/v1/key/:id',
    id: 'revokeKey',
    summary: 'Revoke a key, at once',
    action: 'key:manage',
    isRevocation: true,
    success: [204, null],
    errors: ['not_found'],
    async run({ deps, caller, params }) {
      await revokeKey(deps, caller, params['id']!);
      return { status: 204 };
    },
  }),
  operation({
    method: 'post',
    path: '/v1/key/:id/rotate',
    id: 'rotateKey',
    summary: 'Give a key another secret',
    action: 'key:manage',
    isRevocation: true,
    body: RotateKey,
    isBodyOptional: true,
    isRepeatable: true,
    success: [200, KeyBody],
    errors: ['not_found'],
    run: async ({ deps, caller, params, input }) => ({
      status: 200,
      json: await rotateKey(deps, caller, params['id']!, input),
    }),
  }),
  operation({
    method: 'get',
    path: '/v1/usage',
    id: 'getUsage',
    summary: 'What is used, and the limits',
    action: 'usage:read',
    success: [200, UsageBody],
    run: async ({ deps, caller }) => ({ status: 200, json: await getUsage(deps, caller) }),
  }),
];
