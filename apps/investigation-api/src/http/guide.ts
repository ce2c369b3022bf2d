import type { docsPage } from '@platform/service-kit';
import type { Config } from '../config.ts';

/** The guide at /docs. */
export function guideOf(
  document: object,
  { publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>,
): Parameters<typeof docsPage>[0] {
  return {
    document,
    openApiUrl: '/openapi.json',
    credential: {
      words:
        'Get a token of the authorization service: `platform token` prints that of your session, and `npm start` prints one. An API key does as well, in the header `X-API-Key`. `platform` stands for `node dist/apps/authz-cli/platform.js`.',
      command: 'platform login alice --tenant acme && platform token',
    },
    tokenNote: 'Signed in at the desk (`/app`) you need none on this page.',
    first: 'submit_investigation',
    exampleUrl: publicUrl ?? `http://127.0.0.1:${port}`,
    links: [
      { href: '/app', text: 'Desk' },
      { href: '/how-it-judges', text: 'How it judges' },
    ],
  };
}
