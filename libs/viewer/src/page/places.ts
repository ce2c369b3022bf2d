import type { Part } from '../components/part.tsx';
import { claimFragment, readFragment, verdictFragment } from '../format/fragments.ts';
import type { Model } from '../model.ts';
import { CLAIMS_PER_PAGE } from '../panes/audit/audited-claims.tsx';
import { CARDS_PER_PAGE } from '../panes/distinctions/distinctions-pane.tsx';
import { QUESTIONS_PER_PAGE } from '../panes/mesh/mesh-pane.tsx';
import { FINDINGS_PER_PAGE } from '../panes/overview/findings.tsx';
import { ROWS_PER_PAGE } from '../panes/timeline/timeline-table.tsx';
import type { PaneId } from '../snapshot.ts';

/** A document of a share: one page of one pane. */
export interface Place {
  readonly pane: PaneId;
  /** From 1. */
  readonly page: number;
}

/** The address of a place, relative to the share's own. */
const placeHref = ({ pane, page }: Place) => `?pane=${pane}${page > 1 ? `&page=${page}` : ''}`;

/** A place that the share has: the pane's last page for a number beyond it. Pure. */
export function placeIn(model: Model, { pane, page }: Place): Place {
  const items: Readonly<Record<PaneId, readonly [count: number, perPage: number]>> = {
    overview: [model.verdicts.length, FINDINGS_PER_PAGE],
    sources: [1, 1],
    timeline: [model.claims.length, ROWS_PER_PAGE],
    mesh: [model.verdicts.length, QUESTIONS_PER_PAGE],
    distinctions: [model.judged.input.distinctions?.length ?? 0, CARDS_PER_PAGE],
    audit: [model.claims.length, CLAIMS_PER_PAGE],
  };
  const [count, perPage] = items[pane];
  return { pane, page: Math.min(page, Math.max(1, Math.ceil(count / perPage))) };
}

/** What the document at `place` knows of the others of its share. Pure. */
export function partOf(model: Model, place: Place): Part {
  const placeOfVerdict = placed(
    model.verdicts.map(({ subjectId, predicate }) => verdictFragment(subjectId, predicate)),
    'overview',
    FINDINGS_PER_PAGE,
  );
  const placeOfClaim = placed(
    model.claims.map(({ id }) => claimFragment(id)),
    'audit',
    CLAIMS_PER_PAGE,
  );
  const placeOf = (fragment: string): Place => {
    const target = readFragment(fragment);
    if (target === null) return place;
    if (target.kind === 'verdict') return placeOfVerdict.get(fragment) ?? { pane: 'overview', page: 1 };
    if (target.kind === 'claim') return placeOfClaim.get(fragment) ?? { pane: 'audit', page: 1 };
    return { pane: target.pane, page: 1 };
  };
  return {
    page: place.page,
    pageHref: (page) => placeHref({ ...place, page }),
    hrefOf(fragment) {
      const target = placeOf(fragment);
      const isHere = target.pane === place.pane && target.page === place.page;
      return `${isHere ? '' : placeHref(target)}#${fragment}`;
    },
  };
}

function placed(fragments: readonly string[], pane: PaneId, size: number): ReadonlyMap<string, Place> {
  return new Map(
    fragments.map((fragment, index) => [fragment, { pane, page: Math.floor(index / size) + 1 }]),
  );
}
