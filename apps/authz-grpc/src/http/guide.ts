import type { docsPage } from '@platform/service-kit';
import type { Config } from '../config.ts';
import { grpcGuide } from './grpc-guide.ts';

/** The guide at /docs. */
export function guideOf(
  document: object,
  { publicUrl, httpPort, grpcPort, tlsCert }: Pick<Config, 'publicUrl' | 'httpPort' | 'grpcPort' | 'tlsCert'>,
): Parameters<typeof docsPage>[0] {
  const scheme = tlsCert === undefined ? 'http' : 'https';
  return {
    document,
    openApiUrl: '/openapi.json',
    credential: {
      words:
        'Get a token with a tenant: users log in, and service accounts exchange their key at `POST /v1/auth/token`; `npm start` prints one. API keys are for gRPC, which everything else is done over: its methods follow those of REST below. `platform` stands for `node dist/apps/authz-cli/platform.js`. The examples name an invented domain, which nobody may use: put the id of yours in its place, as `platform domains list` prints it.',
      command: 'platform login alice --tenant acme && platform token',
    },
    first: 'checkAuthorization',
    grpc: grpcGuide(`127.0.0.1:${grpcPort}`, tlsCert !== undefined),
    exampleUrl: publicUrl ?? `${scheme}://127.0.0.1:${httpPort}`,
  };
}
