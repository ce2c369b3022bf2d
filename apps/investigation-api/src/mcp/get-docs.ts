import { DomainError } from '@platform/error-contracts';
import { documentTool, listTools } from './docs.ts';
import type { Tool, ToolResponse } from './tool.ts';

/**
 * The documentation of one tool, or the list of all, `loaded` by the connection or not. Throws DomainError
 * `not_found` naming the tools there are.
 */
export async function getDocs(
  all: readonly Tool[],
  loaded: readonly Tool[],
  input: unknown,
): Promise<ToolResponse> {
  const name = (input as { tool?: unknown } | null)?.tool ?? undefined;
  if (name === undefined) return { text: listTools(all, loaded) };
  const tool = all.find((candidate) => candidate.name === name);
  if (tool) return { text: documentTool(tool) };
  throw new DomainError('not_found', `no such tool, there are: ${all.map((t) => t.name).join(', ')}`, {
    field: 'tool',
  });
}
