/** Characters of a text in a row that the caller chose. */
const TEXT_MAX = 512;
/** Values of a list that a row shows. */
const LIST_MAX = 32;

/**
 * Fields of requests whose values a row shows; of all others it names that they were sent. Passwords, tokens,
 * credentials, addresses of e-mail and what a provider calls a user are not among them.
 */
const SHOWN: ReadonlySet<string> = new Set([
  'active',
  'allow_lockout',
  'attribute_key',
  'attribute_values',
  'description',
  'detached',
  'domain_id',
  'duration',
  'email_verified',
  'expected_version',
  'expiration_days',
  'expiration_hours',
  'expires_in_minutes',
  'id',
  'ids',
  'key_id',
  'max_overage',
  'max_tokens',
  'message',
  'name',
  'oauth_provider',
  'revoke_api_keys',
  'subscription',
  'superior_domain_ids',
  'tenant_id',
  'token_type',
  'user_id',
  'username',
  'users',
  'values',
  'version',
]);

/** Operations whose names of users may be passwords typed into the wrong field. */
const NAME_HIDDEN: ReadonlySet<string> = new Set(['Login']);

/** A text as a row can hold it: cut, well-formed, and without NUL. */
export function recordable(text: string): string {
  return text.slice(0, TEXT_MAX).toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The JSON of what a row says beyond its columns. */
export function detailOf(facts: {
  readonly address: string;
  readonly operation?: string;
  readonly request?: object;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  readonly context?: object | undefined;
  readonly message?: string | undefined;
}): string {
  const { address, operation = '', request, before, after, context, message } = facts;
  const fields: string[] = [];
  const values: Record<string, unknown> = {};
  if (request !== undefined)
    readFields(request, '', (path, name, value) => {
      fields.push(path);
      if (SHOWN.has(name) && !(name === 'username' && NAME_HIDDEN.has(operation)))
        values[path] = shown(value);
    });
  return JSON.stringify({
    ...(address === '' ? {} : { address }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(Object.keys(values).length === 0 ? {} : { values }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(context === undefined ? {} : { context }),
    ...(message === undefined ? {} : { message: recordable(message) }),
  });
}

/**
 * Visits every field of a message that was sent, by the contract's names. Lists of messages are not entered.
 */
function readFields(
  message: object,
  prefix: string,
  visit: (path: string, name: string, value: unknown) => void,
): void {
  for (const [key, value] of Object.entries(message)) {
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const isMessage = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isMessage) readFields(value as object, `${prefix}${name}.`, visit);
    else visit(prefix + name, name, value);
  }
}

function shown(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .slice(0, LIST_MAX)
      .map((item: unknown) => (typeof item === 'string' ? recordable(item) : '…'));
  }
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' ? recordable(value) : value;
}
