import { describe, expect, it } from '@jest/globals';
import { verifyDeployment } from './verify.ts';

describe('verify', () => {
  it('verify names the deployment that cannot be reached, and the cause', async () => {
    await expect(verifyDeployment.run({}, ['http://127.0.0.1:1/', '--key', 'dsk_x'], {})).rejects.toThrow(
      'verify: no response from http://127.0.0.1:1 (bad port)',
    );
  });
});
