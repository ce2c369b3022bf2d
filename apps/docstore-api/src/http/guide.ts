import type { docsPage } from '@platform/service-kit';
import type { Config } from '../config.ts';

const TOKEN = {
  words:
    'Get a token of the authorization service: `platform token` prints that of your session, and `npm start` prints one. Programs take a key, which `POST /v1/key` makes with a token. `platform` stands for `node dist/apps/authz-cli/platform.js`.',
  command: 'platform login alice --tenant acme && platform token',
};

/** Without an authorization service there are no tokens. */
const OPERATORS_KEY = {
  words:
    'Get a key. The operator makes the first one - on an embedded database, before the service is started - and it makes others at `POST /v1/key`.',
  command: 'node dist/apps/docstore-api/main.js key --owner me',
};

/** The guide at /docs. Its first step gets a credential that works at this service while it runs. */
export function guideOf(
  document: object,
  { authzUrl, port }: Pick<Config, 'authzUrl' | 'port'>,
): Parameters<typeof docsPage>[0] {
  return {
    document,
    openApiUrl: '/openapi.json',
    credential: authzUrl === undefined ? OPERATORS_KEY : TOKEN,
    first: 'createFile',
    exampleUrl: `http://127.0.0.1:${port}`,
  };
}
