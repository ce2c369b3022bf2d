import { useContext } from 'preact/hooks';
import { FoldContext } from '../../components/fold.tsx';
import { Pager, PartContext } from '../../components/part.tsx';
import { count } from '../../format/numbers.ts';
import type { Lane, LaneKind } from './timeline-layout.ts';

/** Lanes on view at once: few enough that the whole of them is a few screens high. */
const LANES_PER_PAGE = 25;
/** Lanes on paper, which has one page of them. */
const LANES_ON_PAPER = 200;
const LANE_WORDS: Readonly<Record<LaneKind, string>> = {
  finding: 'findings',
  actor: 'sources',
  predicate: 'questions',
};

export interface LanePages {
  readonly shown: readonly Lane[];
  /** Index of the first lane on view. */
  readonly first: number;
  readonly total: number;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
}

/** The lanes of the page that was asked for, the last page where there are fewer. */
export function useLanePages(lanes: readonly Lane[], asked: number): LanePages {
  const part = useContext(PartContext);
  // Paper is no part of a share, and unlike the desk it has all folds drawn.
  const isPaper = useContext(FoldContext) === 'whole' && part === null;
  const size = isPaper ? LANES_ON_PAPER : LANES_PER_PAGE;
  const pages = Math.max(1, Math.ceil(lanes.length / size));
  const page = Math.min(asked, pages);
  const first = (page - 1) * size;
  return { shown: lanes.slice(first, first + size), first, total: lanes.length, page, pages };
}

/** Which lanes are drawn and how many are not, in words; nothing where all are. */
export function LanesDrawn({ pages, kind }: { readonly pages: LanePages; readonly kind: LaneKind }) {
  if (pages.pages === 1) return null;
  return (
    <p class="timeline-more">
      {drawnWords(pages, kind)} are drawn. The other {count(pages.total - pages.shown.length)} are left out
      <span class="timeline-scripted"> until you turn the page below the drawing</span>; the table has all
      claims.
    </p>
  );
}

interface LanePagerProps {
  readonly pages: LanePages;
  readonly kind: LaneKind;
  readonly turn: (page: number) => void;
}

/** Links to the pages of lanes, which scripts alone draw. */
export function LanePager({ pages, kind, turn }: LanePagerProps) {
  const part = useContext(PartContext);
  if (pages.pages === 1) return null;
  const hrefOf = (page: number) =>
    part ? `${part.pageHref(1)}&lane_page=${page}` : `?lane_page=${page}#timeline`;
  return (
    <div class="timeline-scripted">
      <Pager
        name={LANE_WORDS[kind]}
        words={drawnWords(pages, kind)}
        pages={pages.pages}
        page={pages.page}
        pageHref={hrefOf}
        turn={turn}
      />
    </div>
  );
}

/** `Sources 26 to 50 of 300`. */
function drawnWords({ first, shown, total }: LanePages, kind: LaneKind): string {
  const name = LANE_WORDS[kind];
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return `${capital} ${count(first + 1)} to ${count(first + shown.length)} of ${count(total)}`;
}
