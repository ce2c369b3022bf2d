import type { docsPage } from '@platform/service-kit';
import type { Config } from '../config.ts';

/** The guide at /docs. */
export function guideOf(document: object, { port }: Pick<Config, 'port'>): Parameters<typeof docsPage>[0] {
  return {
    document,
    openApiUrl: '/openapi.json',
    credential: {
      words:
        'Get a key. The operator makes the first one, and it makes others at `POST /v1/key`; a platform token does as well.',
      command: 'node dist/apps/docstore-api/main.js key --owner me',
    },
    first: 'createFile',
    exampleUrl: `http://127.0.0.1:${port}`,
  };
}
