import { Refused } from '@platform/authz-client';

/** What a call that must fail says. */
export async function refusalOf(call: Promise<unknown>): Promise<{
  readonly code: number;
  readonly message: string;
  readonly reason: string;
  readonly fields: readonly string[];
  readonly retryAfterSeconds: number | null;
}> {
  const error: unknown = await call.then(
    () => new Error('the call was not refused'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof Refused)) throw error;
  const { code, message, reason, fields, retryAfterSeconds } = error;
  return { code, message, reason, fields: [...fields.keys()], retryAfterSeconds };
}
