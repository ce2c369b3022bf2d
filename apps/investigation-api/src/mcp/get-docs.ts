import { DomainError } from '@platform/error-contracts';
import { z } from 'zod';
import { readInput } from '../wire/read-input.ts';
import { documentTool, listTools, PARTS } from './docs.ts';
import type { Tool, ToolResponse } from './tool.ts';

export const GetDocsInput = z.strictObject({
  tool: z.string().nullish().describe('Name of a tool; leave out to list all.'),
  part: z.enum(PARTS).nullish().describe('input unless given: fields and an example.'),
});

/**
 * The documentation of one tool, or the list of all, `loaded` by the connection or not. Throws DomainError
 * `not_found` naming the tools there are, `unprocessable` for another part.
 */
export async function getDocs(
  all: readonly Tool[],
  loaded: readonly Tool[],
  input: unknown,
): Promise<ToolResponse> {
  const { tool: name, part } = readInput(GetDocsInput, input ?? {});
  if (name === undefined || name === null) return { text: listTools(all, loaded) };
  const tool = all.find((candidate) => candidate.name === name);
  if (tool) return { text: documentTool(tool, part ?? 'input') };
  throw new DomainError('not_found', `no such tool, there are: ${all.map((t) => t.name).join(', ')}`, {
    field: 'tool',
  });
}
