import type { docsPage } from '@platform/service-kit';
import type { Config } from '../config.ts';

/** The guide at /docs. */
export function guideOf(
  document: object,
  { publicUrl, httpPort, tlsCert }: Pick<Config, 'publicUrl' | 'httpPort' | 'tlsCert'>,
): Parameters<typeof docsPage>[0] {
  const scheme = tlsCert === undefined ? 'http' : 'https';
  return {
    document,
    openApiUrl: '/openapi.json',
    credential: {
      words:
        'Get a token with a tenant: users log in, and service accounts exchange their key at `POST /v1/auth/token`. API keys are for gRPC, which everything else is done over: `proto/authz/v1` is its contract.',
      command: 'platform login alice --tenant acme',
    },
    first: 'checkAuthorization',
    exampleUrl: publicUrl ?? `${scheme}://127.0.0.1:${httpPort}`,
  };
}
