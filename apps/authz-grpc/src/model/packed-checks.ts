/**
 * Recorded checks by column, so that a thread that passes them on need not read them. The values of a column
 * stand one behind the other with two U+0001 in between; a U+0001 in a value is followed by U+0002. A detail
 * is JSON, which holds neither, is empty for a row without one, and may be `SAME_DETAIL`.
 */
export interface PackedChecks {
  readonly subjects: string;
  readonly actions: string;
  readonly objects: string;
  readonly details: string;
}

/** Stands for the detail of the check before. */
export const SAME_DETAIL = '=';

/** A check of a pack, unpacked. */
interface UnpackedCheck {
  readonly subject: string;
  readonly action: string;
  readonly object: string;
  readonly detail: string;
}

/** The checks in their order, at least one. */
export function* unpackChecks(checks: PackedChecks): Generator<UnpackedCheck> {
  const [subjects, actions, objects, details] = [
    new Column(checks.subjects),
    new Column(checks.actions),
    new Column(checks.objects),
    new Column(checks.details),
  ];
  let detail = '';
  while (details.hasNext) {
    const packed = details.next();
    if (packed !== SAME_DETAIL) detail = packed;
    yield { subject: subjects.next(), action: actions.next(), object: objects.next(), detail };
  }
}

const SEPARATOR = '\u0001\u0001';
const ESCAPED = '\u0001\u0002';

/** Reads the values of a column in turn; one that equals the one before it costs a comparison alone. */
class Column {
  readonly #text: string;
  readonly #isEscaped: boolean;
  #at = 0;
  #last = '';
  /** The value before, as packed, with its separator. */
  #packed = SEPARATOR;

  constructor(text: string) {
    this.#text = text;
    this.#isEscaped = text.includes(ESCAPED);
  }

  get hasNext(): boolean {
    return this.#at <= this.#text.length;
  }

  next(): string {
    if (this.#text.startsWith(this.#packed, this.#at)) {
      this.#at += this.#packed.length;
      return this.#last;
    }
    const found = this.#text.indexOf(SEPARATOR, this.#at);
    const end = found === -1 ? this.#text.length : found;
    const value = this.#text.slice(this.#at, end);
    this.#packed = this.#text.slice(this.#at, end + SEPARATOR.length);
    this.#at = end + SEPARATOR.length;
    this.#last = this.#isEscaped ? value.replaceAll(ESCAPED, '\u0001') : value;
    return this.#last;
  }
}
