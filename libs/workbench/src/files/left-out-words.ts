import { count, counted } from '@platform/viewer/browser';

interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

/** Texts of cells, and places, that one line names. */
const NAMED = 3;

/** The text of a cell at the start of a reason, and what is wrong with it. */
const CELL_FIRST = /^("(?:[^"\\]|\\.)*") (.*)$/su;

/**
 * What a file left out or assumed, in lines in the order of the file. Parts with the same reason, whatever
 * the texts of their cells, are one line with their number, the first texts and the first places. Pure.
 */
export function leftOutWords(leftOut: readonly LeftOut[]): string[] {
  const groups = new Map<string, LeftOut[]>();
  for (const one of leftOut) {
    const kind = CELL_FIRST.exec(one.reason)?.[2];
    const key = JSON.stringify([kind ?? one.reason, kind === undefined]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const [{ path, reason }] = group as [LeftOut];
    if (group.length === 1) return `${path}: ${reason}`;
    const texts = [...new Set(group.flatMap((one) => CELL_FIRST.exec(one.reason)?.[1] ?? []))];
    const named = texts.slice(0, NAMED).join(', ') + (texts.length > NAMED ? ' …' : '');
    const words = [named, CELL_FIRST.exec(reason)?.[2] ?? reason].filter(Boolean).join(' ');
    const paths = [...new Set(group.map((one) => one.path))];
    const more = paths.length - NAMED;
    const places = `${paths.slice(0, NAMED).join('; ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
    return `${counted(group.length, 'time')}: ${words} (${places})`;
  });
}
