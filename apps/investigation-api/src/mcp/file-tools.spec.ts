import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { FILE_TOOLS } from './file-tools.ts';
import type { ToolCall, ToolDeps } from './tool.ts';

const importFile = FILE_TOOLS.find(({ name }) => name === 'import_file')!;

describe('import_file', () => {
  it('a file larger than a tool call takes is refused unread, with the way to send it', async () => {
    covers('INV-IMPORT.10');
    const call = { rawArguments: new Uint8Array(1024 * 1024 + 1), signal: new AbortController().signal };
    await expect(importFile.call({} as ToolDeps, {}, call as unknown as ToolCall)).rejects.toMatchObject({
      kind: 'payload_too_large',
      message: expect.stringContaining('POST /api/v1/imports/{format}'),
    });
  });
});
