import { DOCSTORE_CODES } from '@platform/error-contracts';
import { z } from '@platform/error-contracts/zod-openapi';
import { CHANGES } from './api/changes.ts';
import { CONTENTS } from './api/contents.ts';
import { DOCUMENTS } from './api/documents.ts';
import { KEYS } from './api/keys.ts';
import { PATHS } from './api/paths.ts';
import { VERSIONS } from './api/versions.ts';
import type { ApiOperation } from './api/operation.ts';

/** Every operation that needs a credential. Routes and the OpenAPI document are made from this table. */
export const API: readonly ApiOperation[] = [
  ...DOCUMENTS,
  ...CONTENTS,
  ...VERSIONS,
  ...PATHS,
  ...CHANGES,
  ...KEYS,
];

/** The 15 codes as GET /v1/errors lists them. */
export const ErrorCodes = z.object({
  errors: z.array(
    z.object({
      code: z.string(),
      status: z.int(),
      retryable: z.enum(['yes', 'no', 'conditional']),
      action: z.string(),
    }),
  ),
});
export const ERROR_CODES: z.infer<typeof ErrorCodes> = {
  errors: Object.entries(DOCSTORE_CODES).map(([code, { status, retryable, action }]) => ({
    code,
    status,
    retryable,
    action,
  })),
};

/** Documents that need no credential; `server.ts` serves the values. */
export const PUBLIC_DOCUMENTS = {
  listErrors: { path: '/v1/errors', summary: 'Every error code', schema: ErrorCodes },
  getOpenApi: {
    path: '/v1/openapi.json',
    summary: 'This document',
    schema: z.looseObject({ openapi: z.string() }),
  },
} as const;
