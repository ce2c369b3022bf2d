/** UTF-16 code units between two counts. */
const STEP = 1024;

const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00;

/**
 * A well-formed text whose positions are asked for in Unicode code points and in UTF-16 code units. Made in
 * one pass; a position costs a search among counts and at most 1,024 units.
 */
export class IndexedText {
  readonly text: string;
  /** Surrogate pairs that end before each multiple of STEP; null for a text without any. */
  readonly #pairs: Uint32Array | null;
  /** Code points of the text. */
  readonly length: number;

  constructor(text: string) {
    this.text = text;
    const counts = new Uint32Array(Math.floor(text.length / STEP) + 1);
    let pairs = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (at % STEP === 0) counts[at / STEP] = pairs;
      if (isLow(text.charCodeAt(at))) pairs += 1;
    }
    if (text.length % STEP === 0) counts[text.length / STEP] = pairs;
    this.#pairs = pairs === 0 ? null : counts;
    this.length = text.length - pairs;
  }

  /** Code points before a UTF-16 position from 0 to the length of the text. */
  pointsAt(unit: number): number {
    if (this.#pairs === null) return unit;
    const from = Math.floor(unit / STEP);
    return unit - this.#pairs[from]! - this.#pairsBetween(from * STEP, unit);
  }

  /** UTF-16 position behind so many code points; null beyond the text. */
  unitsAt(points: number): number | null {
    if (points > this.length) return null;
    if (this.#pairs === null) return points;
    let low = 0;
    let high = this.#pairs.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (middle * STEP - this.#pairs[middle]! <= points) low = middle;
      else high = middle - 1;
    }
    let unit = low * STEP;
    // A low half at the step belongs to the code point before it.
    let counted = unit - this.#pairs[low]!;
    if (unit < this.text.length && isLow(this.text.charCodeAt(unit))) {
      unit += 1;
    }
    while (counted < points) {
      unit += this.text.codePointAt(unit)! > 0xffff ? 2 : 1;
      counted += 1;
    }
    return unit;
  }

  #pairsBetween(from: number, to: number): number {
    let pairs = 0;
    for (let at = from; at < to; at += 1) if (isLow(this.text.charCodeAt(at))) pairs += 1;
    return pairs;
  }
}
