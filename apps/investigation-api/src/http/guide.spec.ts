import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { suiteService } from '../suite-service.fixture.ts';

const service = suiteService('scripted');

describe('the page that says how the service judges', () => {
  it('anyone can read the guide under the policy of share pages', async () => {
    covers('RM-11.24');
    const guide = await fetch(`${service.url}/how-it-judges`);
    expect(guide.status).toBe(200);
    expect(guide.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await guide.text()).toContain('<h1>How it judges</h1>');
  });
});
