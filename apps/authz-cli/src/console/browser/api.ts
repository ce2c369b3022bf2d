/** An operation of the console was refused; the message is for the reader. */
export class Failed extends Error {
  override readonly name = 'Failed';
  readonly reason: string;
  /** HTTP status of the response; 0 without one. */
  readonly status: number;

  constructor(message: string, reason = '', status = 0) {
    super(message);
    this.reason = reason;
    this.status = status;
  }
}

/** What the operation responds with. Errors: Failed. */
export async function ask<T>(name: string, input: object = {}): Promise<T> {
  let response: Response;
  try {
    // Below the path of the page, which is the console's alone.
    response = await fetch(`api/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    });
  } catch {
    throw new Failed('the console has ended: run `platform console` again');
  }
  const value = (await response.json()) as T & { error?: { message: string; reason?: string } };
  if (!response.ok)
    throw new Failed(value.error?.message ?? 'the console failed', value.error?.reason, response.status);
  return value;
}
