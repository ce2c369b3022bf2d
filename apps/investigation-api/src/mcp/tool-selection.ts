import { DomainError } from '@platform/error-contracts';
import type { Toolset } from './tool.ts';
import { TOOLSETS } from './tool.ts';

/** Which tools a connection gets. */
export interface ToolSelection {
  readonly toolsets: readonly Toolset[];
  readonly readOnly: boolean;
}

/**
 * Without the entities, which update_investigation_session changes as well: clients do badly with many tools.
 */
export const DEFAULT_TOOLSETS: readonly Toolset[] = ['analysis', 'sessions', 'shares', 'docs'];

/**
 * Reads a selection from text: `toolsets` is names joined by commas or `all` (null: the default), `readOnly`
 * is true or false (null: false). Throws DomainError `invalid_argument` naming what is known.
 */
export function parseToolSelection(toolsets: string | null, readOnly: string | null): ToolSelection {
  return {
    toolsets: toolsets === null ? DEFAULT_TOOLSETS : parseToolsets(toolsets),
    readOnly: parseFlag(readOnly ?? 'false'),
  };
}

function parseToolsets(text: string): readonly Toolset[] {
  if (text === 'all') return TOOLSETS;
  return text.split(',').map((part) => {
    const known = TOOLSETS.find((toolset) => toolset === part.trim());
    if (known) return known;
    throw new DomainError(
      'invalid_argument',
      `toolset \`${part.slice(0, 60)}\` is not known, use all or some of: ${TOOLSETS.join(', ')}`,
    );
  });
}

function parseFlag(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new DomainError('invalid_argument', `read_only must be true or false, not \`${text.slice(0, 60)}\``);
}
