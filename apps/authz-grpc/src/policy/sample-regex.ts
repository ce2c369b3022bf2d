/**
 * Texts that a Rust regular expression probably matches, a few for each of its branches: its structure is
 * read as far as most patterns go, and what cannot be read gives no text. Proposals, to be tested with the
 * crate. Never throws.
 */
export function sampleRegex(pattern: string): string[] {
  try {
    const reader = new Reader(pattern);
    const samples = reader.readAlternatives();
    if (!reader.isAtEnd) return [];
    // An unanchored end may be followed by anything.
    const loose = samples.flatMap((text) => [
      ...(pattern.startsWith('^') ? [] : [`q${text}`]),
      ...(pattern.endsWith('$') ? [] : [`${text}q`, `${text}/other`]),
    ]);
    return [...new Set([...samples, ...loose])].slice(0, SAMPLES_MAX * 3);
  } catch (error) {
    if (error instanceof Unread) return [];
    throw error;
  }
}

const SAMPLES_MAX = 24;
/** Repetitions written out; a pattern that counts on gives a text that the crate refuses. */
const REPEATED_MAX = 64;
/** What a dot or a negated class may stand for. */
const CANDIDATES = ['q', '7', 'Z', '-', ' ', 'é', '.', '_', '/'];

class Unread extends Error {}

const CLASSES: Readonly<Record<string, string>> = { d: '7', w: 'q', s: ' ', D: 'q', W: '-', S: 'q' };
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

class Reader {
  #at = 0;
  readonly #pattern: string;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#pattern.length;
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #next(): string {
    const char = this.#pattern.codePointAt(this.#at);
    if (char === undefined) throw new Unread();
    const text = String.fromCodePoint(char);
    this.#at += text.length;
    return text;
  }

  readAlternatives(): string[] {
    const all = [...this.#readSequence()];
    while (this.#take('|')) all.push(...this.#readSequence());
    return [...new Set(all)].slice(0, SAMPLES_MAX);
  }

  #readSequence(): string[] {
    let texts = [''];
    while (!this.isAtEnd && !/[|)]/.test(this.#pattern[this.#at] as string)) {
      const atom = this.#readRepeated(this.#readAtom());
      texts = texts.flatMap((text) => atom.map((more) => text + more)).slice(0, SAMPLES_MAX);
    }
    return texts;
  }

  #readAtom(): string[] {
    const char = this.#next();
    switch (char) {
      case '^':
      case '$':
        return [''];
      case '.':
        return ['q', '7'];
      case '(': {
        if (this.#take('?')) this.#readGroupHead();
        if (this.#take(')')) return [''];
        const inner = this.readAlternatives();
        if (!this.#take(')')) throw new Unread();
        return inner;
      }
      case '[':
        return this.#readClass();
      case '\\':
        return this.#readEscape();
      default:
        return [char];
    }
  }

  /** Flags, names and the colon of an unnumbered group; what flags change shows when texts are tested. */
  #readGroupHead(): void {
    const [head] = /^(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]+(?=\)))/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (head === undefined || head.includes('x')) throw new Unread();
    this.#at += head.length;
  }

  #readEscape(): string[] {
    const char = this.#next();
    if (/[bBAz]/.test(char)) return [''];
    const sample = CLASSES[char] ?? ESCAPED[char];
    if (sample !== undefined) return [sample];
    if (/[A-Za-z0-9]/.test(char)) throw new Unread();
    return [char];
  }

  #readClass(): string[] {
    const negated = this.#take('^');
    const members: string[] = [];
    const ranges: [string, string][] = [];
    for (let isFirst = true; isFirst || !this.#take(']'); isFirst = false) {
      let char = this.#next();
      if (char === '[') throw new Unread();
      if (char === '\\') [char = ''] = this.#readEscape();
      const isRange = /^-[^\]]/.test(this.#pattern.slice(this.#at));
      if (isRange) this.#take('-');
      const to = isRange ? this.#next() : char;
      if (to === '\\') throw new Unread();
      ranges.push([char, to]);
      members.push(char, to);
    }
    if (!negated) return [...new Set(members)];
    const isIn = (char: string) => ranges.some(([from, to]) => from <= char && char <= to);
    return CANDIDATES.filter((char) => !isIn(char)).slice(0, 3);
  }

  #readRepeated(atom: string[]): string[] {
    const [all, low, comma, high] = /^\{(\d+)(,?)(\d*)\}/.exec(this.#pattern.slice(this.#at)) ?? [];
    let texts = atom;
    if (all !== undefined) {
      this.#at += all.length;
      const counts = [Number(low), Number(high || low) + (comma === ',' && high === '' ? 1 : 0)];
      if (Math.max(...counts) > REPEATED_MAX) throw new Unread();
      texts = counts.flatMap((count) => atom.map((text) => text.repeat(count)));
    } else if (this.#take('*') || this.#take('?')) texts = [...atom, ''];
    else if (this.#take('+')) texts = [...atom, ...atom.map((text) => text + text)];
    else return atom;
    this.#take('?');
    return [...new Set(texts)];
  }
}
