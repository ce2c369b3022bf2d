import { DomainError } from '@platform/error-contracts';
import { z } from 'zod';
import { readInput } from '../wire/read-input.ts';
import { documentTool, listTools, PARTS } from './docs.ts';
import { nextPartLines, partOf } from './text-part.ts';
import type { Tool, ToolResponse } from './tool.ts';

export const GetDocsInput = z.strictObject({
  tool: z.string().nullish().describe('Name of a tool; leave out to list all.'),
  part: z.enum(PARTS).nullish().describe('input unless given; answer: fields of the response.'),
  offset: z.int().min(0).nullish(),
});

/**
 * The documentation of one tool, part by part where it is long, or the list of all, `loaded` by the
 * connection or not. Throws DomainError `not_found` naming the tools there are, `unprocessable` for another
 * part.
 */
export async function getDocs(
  all: readonly Tool[],
  loaded: readonly Tool[],
  input: unknown,
): Promise<ToolResponse> {
  const { tool: name, part, offset } = readInput(GetDocsInput, input ?? {});
  if (name === undefined || name === null) return { text: listTools(all, loaded) };
  const tool = all.find((candidate) => candidate.name === name);
  if (tool) {
    const { part: text, ...rest } = partOf(documentTool(tool, part ?? 'input'), { offset });
    return { text: [text, ...nextPartLines(rest)].join('\n') };
  }
  throw new DomainError('not_found', `no such tool, there are: ${all.map((t) => t.name).join(', ')}`, {
    field: 'tool',
  });
}
