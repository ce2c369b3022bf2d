/** A route as an OpenAPI document describes it. */
export interface Route {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** Whether it needs a credential. */
  readonly isGuarded: boolean;
}

type Operation = { readonly security?: readonly unknown[] };

/** Every route of the OpenAPI document at `url`. */
export async function routesOf(url: string): Promise<Route[]> {
  const { paths } = (await (await fetch(url)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security = [] }]) => ({
      method: method.toUpperCase(),
      path,
      isGuarded: security.length > 0,
    })),
  );
}

/** What a request is sent with. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the path's parameters; one that is not named is `x`. */
  readonly params?: Readonly<Record<string, string>>;
}

/** The status of a request without a body. */
export async function statusOf(base: string, { method, path }: Route, sent: Sent = {}): Promise<number> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => sent.params?.[name] ?? 'x');
  const response = await fetch(base + filled, { method, headers: { ...sent.headers }, redirect: 'manual' });
  // A stream of events has no end.
  await response.body?.cancel();
  return response.status;
}
