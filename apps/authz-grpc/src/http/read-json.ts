import { DomainError, describeIssue } from '@platform/error-contracts';
import { requireJson, type UploadLimiter } from '@platform/service-kit';
import type { Request } from 'express';
import type { z } from 'zod';
import { BODY_BYTES_MAX, parseBody } from './check.ts';

/** The body, which must be JSON of this schema. Throws DomainError naming the field. */
export async function readJson<S extends z.ZodType>(
  req: Request,
  schema: S,
  uploads: UploadLimiter,
  owner: string,
  bytesMax = BODY_BYTES_MAX,
): Promise<z.output<S>> {
  requireJson(req);
  const upload = await uploads.receive(req, owner, bytesMax);
  try {
    return readAs(schema, parseBody(upload.bytes));
  } finally {
    upload.release();
  }
}

/** The value, if the schema takes it. Throws `invalid_argument` naming the field. */
export function readAs<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const field = [...issue.path, issue.keys[0]].join('.');
    throw new DomainError('invalid_argument', `\`${field}\` is not a field here`, { field });
  }
  const field = issue?.path.join('.') || 'body';
  throw new DomainError(
    'invalid_argument',
    `\`${field}\` ${issue?.message ?? 'is not what this route takes'}`,
    {
      field,
    },
  );
}
