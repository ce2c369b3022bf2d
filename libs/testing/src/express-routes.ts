/** The part of an Express router, or of an app's, that says what it serves. */
interface Routes {
  readonly stack: readonly {
    readonly route?:
      { readonly path: string | string[]; readonly stack: readonly { method?: string }[] } | undefined;
  }[];
}

/**
 * What a router serves by its own routes, as `GET /sessions/{id}`, so that an OpenAPI document can be
 * compared with it. Routers that it uses are not entered.
 */
export function expressRoutes(router: unknown): string[] {
  return (router as Routes).stack.flatMap(({ route }) =>
    [route?.path ?? []]
      .flat()
      .flatMap((path) =>
        [...new Set(route!.stack.map(({ method = 'all' }) => method.toUpperCase()))].map(
          (method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
        ),
      ),
  );
}
