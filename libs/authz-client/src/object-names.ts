import type { Filter } from './filter.ts';

/**
 * Objects by the texts of their paths: what follows `svc://<domain>/` in their names, without
 * percent-encoding.
 */
export interface ObjectNames {
  readonly exact: readonly string[];
  readonly prefixes: readonly string[];
}

/**
 * The names that a filter over objects allows, which begin with `start` (`svc://<domain>/`); null when the
 * filter holds for all that begins with `prefix`, or says something else than names. Pure.
 */
export function namesOf(filter: Filter, start: string, prefix: string): ObjectNames | null {
  const exact: string[] = [];
  const prefixes: string[] = [];
  if (filter.kind === 'constant') return filter.value ? null : { exact, prefixes };
  for (const each of filter.kind === 'any' ? filter.of : [filter]) {
    const name = each.kind === 'match' && each.key === 'object' ? String(each.parts[0]) : '';
    if (each.kind !== 'match' || each.parts.length !== 1 || !name.startsWith(start)) return null;
    const path = name.slice(start.length);
    if (each.test === 'equals') exact.push(textOf(path));
    else if (each.test === 'starts_with' && path !== prefix) prefixes.push(textOf(path));
    else return null;
  }
  return { exact, prefixes };
}

/**
 * What a path spells, up to an escape that no object has, that the end cuts, or that stands for NUL, which no
 * text column holds.
 */
function textOf(path: string): string {
  return decodeURIComponent(path.replace(/%(?!(?!00)[0-7][0-9A-F]).*$/s, ''));
}
