import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { consentPage, refusalPage, signInPage } from './oauth-pages.ts';

const request = {
  client: { id: 'x', name: 'Assistant', redirectUris: ['https://app.example/back'] },
  redirectUri: 'https://app.example/back',
  state: null,
  codeChallenge: 'x',
  resource: 'https://investigations.example/mcp',
  scopes: ['investigations'],
} as const;

describe('the pages of the sign-in', () => {
  it.each([
    ['sign-in', signInPage(request, { csrf: 'x' })],
    ['consent', consentPage(request, { csrf: 'x', username: 'alice', tenants: [{ id: 'x', name: 'acme' }] })],
    ['refusal', refusalPage(400, 'no')],
  ])('the policy of the %s page lets its own styles through', (_, { html, policy }) => {
    covers('AUTHZ-OA.3');
    const styles = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, text]) => text!);
    const sources = styles.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(policy).toContain(`style-src ${sources.join(' ')};`);
    expect(sources).toHaveLength(1);
  });
});
