import { globRegex, requireAsked, type Filter, type FilterPart, type FilterTest } from './filter.ts';

/** Where a value of the filter is kept. The SQL is yours: it is not quoted. */
export interface FilterColumn {
  /** A column or expression of type text; NULL is an attribute that is absent. */
  readonly sql: string;
  /** Text that the value has before what the column holds, as `svc://<domain>/`. */
  readonly prefix?: string;
}

/** A condition for the rows of a table. */
export interface SqlFilter {
  /** Of Postgres, with `$1` for the first of `values`; true or false, never NULL. */
  readonly text: string;
  readonly values: readonly string[];
  /**
   * False where a regex of Rust is left: the condition holds for every row that is allowed and for others,
   * and the predicate of the filter decides on those that come.
   */
  readonly isExact: boolean;
}

/**
 * The filter as SQL. Columns by key: `object`, `owner`, `resource.<key>`; an attribute without a column is
 * absent. `firstParameter` is the number of the first parameter, 1 unless given. Throws TypeError as
 * `requireAsked`.
 */
export function filterSql(
  filter: Filter,
  columns: Readonly<Record<string, FilterColumn>>,
  firstParameter = 1,
): SqlFilter {
  requireAsked(filter);
  const writer = new SqlWriter(columns, firstParameter);
  const text = writer.write(filter, true);
  return { text, values: writer.values, isExact: writer.isExact };
}

class SqlWriter {
  readonly values: string[] = [];
  isExact = true;
  readonly #columns: Readonly<Record<string, FilterColumn>>;
  readonly #first: number;

  constructor(columns: Readonly<Record<string, FilterColumn>>, first: number) {
    this.#columns = columns;
    this.#first = first;
  }

  /** `atLeast`: what cannot be said may hold for more rows; otherwise for fewer, as under a `not`. */
  write(filter: Filter, atLeast: boolean): string {
    switch (filter.kind) {
      case 'constant':
        return filter.value ? 'TRUE' : 'FALSE';
      case 'not':
        return `NOT ${this.write(filter.of, !atLeast)}`;
      case 'all':
      case 'any': {
        const parts = filter.of.map((each) => this.write(each, atLeast));
        if (parts.length === 0) return filter.kind === 'all' ? 'TRUE' : 'FALSE';
        return `(${parts.join(filter.kind === 'all' ? ' AND ' : ' OR ')})`;
      }
      case 'single': {
        const column = this.#columnOf(filter.key);
        return column === undefined ? 'FALSE' : `(${column.sql} IS NOT NULL)`;
      }
      case 'match':
      case 'compared': {
        const { test, parts } = filter;
        const column = filter.kind === 'match' ? this.#columnOf(filter.key) : undefined;
        if (filter.kind === 'match' && column === undefined) return 'FALSE';
        if (test === 'regex' || (test === 'glob' && parts.some((part) => typeof part !== 'string'))) {
          this.isExact = false;
          if (!atLeast) return 'FALSE';
          return column === undefined ? 'TRUE' : `(${column.sql} IS NOT NULL)`;
        }
        const known = filter.kind === 'compared' ? { sql: this.#parameter(filter.text) } : undefined;
        return this.#writeTest(test, (column ?? known) as FilterColumn, parts);
      }
    }
  }

  #writeTest(
    test: Exclude<FilterTest, 'regex'>,
    { sql, prefix = '' }: FilterColumn,
    parts: readonly FilterPart[],
  ): string {
    const fixed = parts.every((part) => typeof part === 'string') ? parts.join('') : null;
    // Without the prefix, an index over the column can serve.
    if (fixed !== null && (test === 'equals' || test === 'starts_with')) {
      if (test === 'starts_with' && prefix.startsWith(fixed)) return `(${sql} IS NOT NULL)`;
      if (!fixed.startsWith(prefix)) return 'FALSE';
      const rest = this.#parameter(fixed.slice(prefix.length));
      const same =
        test === 'equals'
          ? `${sql} = ${rest} AND ${exact(sql)} = ${rest}`
          : `starts_with(${exact(sql)}, ${rest})`;
      // COALESCE would keep every index from serving.
      return `(${sql} IS NOT NULL AND ${same})`;
    }
    const value = exact(prefix === '' ? sql : `${this.#parameter(prefix)} || ${sql}`);
    const text =
      test === 'glob' ? this.#parameter(globRegex([[fixed as string, false]])) : this.#writeParts(parts);
    switch (test) {
      case 'glob':
        return `COALESCE(${value} ~ ${text}, FALSE)`;
      case 'equals':
        return `COALESCE(${value} = ${text}, FALSE)`;
      case 'starts_with':
        return `COALESCE(starts_with(${value}, ${text}), FALSE)`;
      case 'ends_with':
        return `COALESCE(right(${value}, length(${text})) = ${text}, FALSE)`;
      case 'contains':
        return `COALESCE(position(${text} IN ${value}) > 0, FALSE)`;
    }
  }

  #writeParts(parts: readonly FilterPart[]): string {
    const written = parts.map((part) => {
      if (typeof part === 'string') return this.#parameter(part);
      const column = this.#columnOf(part.attribute);
      if (column === undefined) return 'NULL::text';
      return column.prefix === undefined ? column.sql : `${this.#parameter(column.prefix)} || ${column.sql}`;
    });
    return written.length === 0 ? "''" : `(${written.join(' || ')})`;
  }

  #parameter(value: string): string {
    this.values.push(value);
    return `$${this.#first + this.values.length - 1}::text`;
  }

  #columnOf(key: string): FilterColumn | undefined {
    return Object.hasOwn(this.#columns, key) ? this.#columns[key] : undefined;
  }
}

/**
 * The expression compared byte by byte: a collation that is not deterministic takes texts for equal that a
 * check tells apart, and that would show rows which nobody was allowed.
 */
function exact(sql: string): string {
  return `((${sql}) COLLATE "C")`;
}
