import { requireAsked, type Filter, type FilterMatch } from './filter.ts';

/** Where a value of the filter is kept. */
export interface PrismaField {
  /**
   * A scalar field of type String of the model. Its column has a deterministic collation, as all have unless
   * told otherwise: by another one, Prisma would find rows that no check allows.
   */
  readonly field: string;
  /** Text that the value has before what the field holds, as `svc://<domain>/`. */
  readonly prefix?: string;
  /** The field is never null; Prisma refuses to compare such a field with null. */
  readonly required?: true;
}

/** A condition of `findMany` and its kin. */
export interface PrismaFilter<Where> {
  readonly where: Where;
  /**
   * False where a regex, a glob or a comparison of two attributes is left, which a `where` cannot say: it
   * holds for every row that is allowed and for others, and the predicate of the filter decides on those that
   * come.
   */
  readonly isExact: boolean;
}

/** True and false are every row and none: Prisma leaves empty conditions out of an OR. */
type Condition = Readonly<Record<string, unknown>> | boolean;

/**
 * The filter as a `where` of Prisma on Postgres, which keeps its meaning within an AND or OR of the
 * application's, and where it is exact within a NOT; `Where` is the model's `…WhereInput`. Fields by key:
 * `object`, `owner`, `resource.<key>`; an attribute without a field is absent. Throws TypeError without any
 * field, and as `requireAsked`.
 */
export function filterPrisma<Where extends object>(
  filter: Filter,
  fields: Readonly<Record<string, PrismaField>>,
): PrismaFilter<Where> {
  requireAsked(filter);
  const [known] = Object.values(fields);
  if (known === undefined) throw new TypeError('`fields` names no field of the model');
  const writer = new WhereWriter(fields);
  const condition = writer.write(filter, true);
  const where = typeof condition === 'boolean' ? constant(condition, known) : condition;
  return { where: where as Where, isExact: writer.isExact };
}

/** Every row or none. Within an AND, Prisma drops `{ OR: [] }`, which would be every row there. */
const constant = (value: boolean, { field }: PrismaField) => ({
  [field]: value ? { notIn: [] } : { in: [] },
});

class WhereWriter {
  isExact = true;
  readonly #fields: Readonly<Record<string, PrismaField>>;

  constructor(fields: Readonly<Record<string, PrismaField>>) {
    this.#fields = fields;
  }

  /**
   * The rows for which the filter says `holds`. A `not` goes down to the comparisons: NOT of Prisma leaves
   * rows out whose field is null. For the same reason each comparison asks that its field is not null.
   */
  write(filter: Filter, holds: boolean): Condition {
    switch (filter.kind) {
      case 'constant':
        return filter.value === holds;
      case 'not':
        return this.write(filter.of, !holds);
      case 'all':
      case 'any': {
        const parts = filter.of.map((each) => this.write(each, holds));
        return (filter.kind === 'all') === holds ? all(parts) : any(parts);
      }
      case 'single': {
        const field = this.#fieldOf(filter.key);
        if (field === undefined) return !holds;
        return holds ? present(field) : absent(field);
      }
      case 'match':
        return this.#writeMatch(filter, holds);
      case 'compared':
        this.isExact = false;
        return true;
    }
  }

  #writeMatch({ test, key, parts }: FilterMatch, holds: boolean): Condition {
    const field = this.#fieldOf(key);
    if (field === undefined) return !holds;
    const [first = ''] = parts;
    const text = parts.every((part) => typeof part === 'string') ? parts.join('') : null;
    if (text !== null && test !== 'glob' && test !== 'regex') {
      const conditions = comparisons(test, text, field.prefix ?? '');
      if (conditions === 'all') return holds ? present(field) : absent(field);
      const matches = any(conditions.map((condition) => ({ [field.field]: condition })));
      if (typeof matches === 'boolean') return matches === holds;
      return holds ? all([present(field), matches]) : any([absent(field), { NOT: matches }]);
    }
    this.isExact = false;
    if (!holds) return true;
    // What stands before the first sign of a glob narrows it down.
    const start = test === 'glob' && typeof first === 'string' ? /^[^*?[]*/.exec(first)![0] : '';
    return this.#writeMatch({ kind: 'match', test: 'starts_with', key, parts: [start] }, true);
  }

  #fieldOf(key: string): PrismaField | undefined {
    return Object.hasOwn(this.#fields, key) ? this.#fields[key] : undefined;
  }
}

function all(parts: readonly Condition[]): Condition {
  const left = parts.filter((part) => part !== true);
  if (left.includes(false)) return false;
  if (left.length === 1) return left[0] as Condition;
  return left.length === 0 || { AND: left };
}

function any(parts: readonly Condition[]): Condition {
  const left = parts.filter((part) => part !== false);
  if (left.includes(true)) return true;
  return left.length > 0 && { OR: left };
}

function present(field: PrismaField): Condition {
  return field.required === true || { NOT: { [field.field]: null } };
}

function absent(field: PrismaField): Condition {
  return field.required === true ? false : { [field.field]: null };
}

/**
 * What a field may be so that the prefix and it pass the test: any of these, or all there is. A text that
 * lies across the end of the prefix is cut there.
 */
function comparisons(
  test: 'equals' | 'starts_with' | 'ends_with' | 'contains',
  text: string,
  prefix: string,
): readonly Condition[] | 'all' {
  const rests = () =>
    Array.from({ length: Math.min(text.length, prefix.length) }, (_, cut) => cut + 1)
      .filter((cut) => prefix.endsWith(text.slice(0, cut)))
      .map((cut) => text.slice(cut));
  switch (test) {
    case 'equals':
      return text.startsWith(prefix) ? [{ equals: text.slice(prefix.length) }] : [];
    case 'starts_with':
      if (prefix.startsWith(text)) return 'all';
      return text.startsWith(prefix) ? [{ startsWith: pattern(text.slice(prefix.length)) }] : [];
    case 'ends_with':
      if (text === '') return 'all';
      return [{ endsWith: pattern(text) }, ...rests().map((rest) => ({ equals: rest }))];
    case 'contains':
      if (prefix.includes(text)) return 'all';
      return [{ contains: pattern(text) }, ...rests().map((rest) => ({ startsWith: pattern(rest) }))];
  }
}

/** The text within a pattern of LIKE, into which Prisma puts it as it is. */
function pattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
