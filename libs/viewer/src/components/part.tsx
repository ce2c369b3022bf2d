import { createContext } from 'preact';
import type { VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { count } from '../format/numbers.ts';

/** What a document shows of a pane whose lists stand on several pages. */
export interface Part {
  /** From 1. */
  readonly page: number;
  /** The address of an element by its fragment (without `#`), in this document or in the one that has it. */
  readonly hrefOf: (fragment: string) => string;
  readonly pageHref: (page: number) => string;
}

/** Null where one document holds all panes whole: the workbench, and paper. */
export const PartContext = createContext<Part | null>(null);

/** How components address verdicts, claims and panes. */
export function useHref(): (fragment: string) => string {
  const part = useContext(PartContext);
  return part ? part.hrefOf : (fragment) => `#${fragment}`;
}

export interface Paged<Item> {
  readonly shown: readonly Item[];
  /** Index of the first item shown. */
  readonly first: number;
  /** From 1; always 1 where all items stand on one page. */
  readonly page: number;
  /** Links to the other pages; null where there is one alone. */
  readonly pager: VNode | null;
}

/** Pages of a share that a page holds where a document holds panes whole: as much as a browser can draw. */
const WHOLE_PAGES = 25;

/**
 * The items of the page on view, of `size` on each, and the links to the others; of many more on each where a
 * document holds panes whole. `isLocal` turns the page in place, where the order of the items is known to the
 * browser alone.
 */
export function usePaged<Item>(
  items: readonly Item[],
  size: number,
  { name, isLocal = false }: { readonly name: string; readonly isLocal?: boolean },
): Paged<Item> {
  const part = useContext(PartContext);
  const [turned, setTurned] = useState<number | null>(null);
  const onPage = part ? size : size * WHOLE_PAGES;
  const pages = Math.max(1, Math.ceil(items.length / onPage));
  const isTurned = isLocal || part === null;
  const page = Math.min((isTurned ? turned : null) ?? part?.page ?? 1, pages);
  const first = (page - 1) * onPage;
  const shown = pages === 1 ? items : items.slice(first, first + onPage);
  const pager = pages > 1 && (
    <Pager
      name={name}
      words={`${name} ${count(first + 1)} to ${count(first + shown.length)} of ${count(items.length)}`}
      pages={pages}
      page={page}
      pageHref={(number) => part?.pageHref(number) ?? '#'}
      turn={isTurned ? setTurned : undefined}
    />
  );
  return { shown, first, page, pager: pager || null };
}

interface PagerProps {
  /** What the pages list. */
  readonly name: string;
  /** What of it is on view. */
  readonly words: string;
  readonly pages: number;
  /** From 1. */
  readonly page: number;
  readonly pageHref: (page: number) => string;
  /** Turns to a page in place. */
  readonly turn?: ((page: number) => void) | undefined;
}

/** Links to the pages of a list. */
export function Pager({ name, words, pages, page, pageHref, turn }: PagerProps) {
  return (
    <nav class="pager" aria-label={`Pages of ${name}`}>
      <p>{words}</p>
      <ul>
        {Array.from({ length: pages }, (_, index) => index + 1).map((number) => (
          <li key={number}>
            <a
              href={pageHref(number)}
              aria-label={`Page ${number}`}
              aria-current={number === page ? 'page' : undefined}
              onClick={
                turn &&
                ((event) => {
                  event.preventDefault();
                  turn(number);
                })
              }
            >
              {number}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
