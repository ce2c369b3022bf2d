import type { JudgementComparison } from '@platform/opinion-fusion';
import type { JudgementChanges } from '@platform/viewer';

/** Changes that a response lists; their number says whether there are more. */
const CHANGES_LISTED_MAX = 50;

/** A comparison with the beginning of its lists, and `limit` verdicts from `offset` on. */
export function listedChanges(
  { items, settings, verdicts, unchanged_verdicts }: JudgementComparison,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): JudgementChanges {
  return {
    changes: items.slice(0, CHANGES_LISTED_MAX),
    change_count: items.length,
    settings,
    verdicts: verdicts.slice(offset, offset + limit).map(({ parts, ...verdict }) => ({
      ...verdict,
      parts: parts.map((part) => ({
        ...part,
        items: part.items.slice(0, CHANGES_LISTED_MAX),
        item_count: part.items.length,
      })),
    })),
    changed_verdicts: verdicts.length,
    unchanged_verdicts,
  };
}
