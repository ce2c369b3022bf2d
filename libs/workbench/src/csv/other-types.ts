import { nameOf, type Entity } from '../edit/kinds.ts';

/** The type that a row gives the source of its claim. */
export interface TypeOfRow {
  readonly line: number;
  readonly actorId: string;
  readonly type: string;
}

/**
 * Rows whose type of the source differs from the one that it has, the first of each source and type: a source
 * has one type. Pure.
 */
export function otherTypes(
  rows: readonly TypeOfRow[],
  actors: readonly Entity[],
  typeNamed: (type: unknown) => unknown,
): { readonly line: number; readonly field: string; readonly message: string }[] {
  const byId = new Map(actors.map((actor) => [actor.id, actor]));
  const others = new Map<string, { readonly row: TypeOfRow; more: number }>();
  for (const row of rows) {
    const kept = typeNamed(byId.get(row.actorId)?.['source_type']);
    if (kept === null || kept === undefined || kept === row.type) continue;
    const key = JSON.stringify([row.actorId, row.type]);
    const first = others.get(key);
    if (first === undefined) others.set(key, { row, more: 0 });
    else first.more += 1;
  }
  return [...others.values()].map(({ row: { line, actorId, type }, more }) => {
    const actor = byId.get(actorId)!;
    const further = more === 0 ? '' : `, here and in ${more} more rows`;
    return {
      line,
      field: 'source_type',
      message: `${type} is not taken: the source ${JSON.stringify(nameOf(actor).slice(0, 80))} stays ${String(actor['source_type'])}${further}`,
    };
  });
}
