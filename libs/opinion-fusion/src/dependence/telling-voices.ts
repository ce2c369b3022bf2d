import { COPYING } from '../contract/constants.ts';
import type { Index } from './agreement.ts';

/**
 * Voices weighed by how much they tell. A source that gives a label to the share q of its items in a domain
 * of K labels has (1 − q)/(1 − 1/K) of a voice for that label, at most one. A source that always says the
 * same says it whatever is right, so that many such sources make no value stronger. Shares start as if the
 * source had given each label equally often on `habitPrior` items.
 */
export class TellingVoices {
  /** The sources that state slot s, ascending, lie from starts[s] to starts[s + 1], with their voices. */
  readonly #starts: Int32Array;
  readonly #speakers: Int32Array;
  readonly #voices: Float64Array;

  constructor({ sources, starts, slots, itemOf, domainOf, labelOf, falseValues, claimants }: Index) {
    this.#starts = new Int32Array(claimants.length + 1);
    claimants.forEach((count, slot) => (this.#starts[slot + 1] = this.#starts[slot]! + count));
    const next = this.#starts.slice();
    this.#speakers = new Int32Array(slots.length);
    this.#voices = new Float64Array(slots.length);
    for (let source = 0; source < sources.length; source++) {
      const given = new Map<number, number>();
      const items = new Map<number, number>();
      for (let i = starts[source]!; i < starts[source + 1]!; i++) {
        const slot = slots[i]!;
        const domain = domainOf[itemOf[slot]!]!;
        given.set(labelOf[slot]!, (given.get(labelOf[slot]!) ?? 0) + 1);
        items.set(domain, (items.get(domain) ?? 0) + 1);
      }
      for (let i = starts[source]!; i < starts[source + 1]!; i++) {
        const slot = slots[i]!;
        const item = itemOf[slot]!;
        const usual = 1 / (falseValues[item]! + 1);
        const { habitPrior } = COPYING;
        const share =
          (given.get(labelOf[slot]!)! + habitPrior * usual) / (items.get(domainOf[item]!)! + habitPrior);
        const at = next[slot]!++;
        this.#speakers[at] = source;
        this.#voices[at] = domainOf[item]! < 0 ? 1 : Math.min(1, (1 - share) / (1 - usual));
      }
    }
  }

  speakersOn(slot: number): Int32Array {
    return this.#speakers.subarray(this.#starts[slot], this.#starts[slot + 1]);
  }

  /**
   * Sum of the voices for a value, each times the weight of its source, 1 unless given. Of sources with one
   * number in `oneVoice` only the strongest counts, of those with the number `asTwo` the two strongest.
   */
  on(
    slot: number,
    oneVoice: ReadonlyMap<number, number>,
    weightOf: (source: number) => number = () => 1,
    asTwo = -1,
  ): number {
    const together = new Map<number, number[]>();
    let sum = 0;
    for (let at = this.#starts[slot]!; at < this.#starts[slot + 1]!; at++) {
      const source = this.#speakers[at]!;
      const voice = this.#voices[at]! * weightOf(source);
      const group = oneVoice.get(source);
      const others = group === undefined ? undefined : together.get(group);
      if (group === undefined) sum += voice;
      else if (others) others.push(voice);
      else together.set(group, [voice]);
    }
    for (const [group, voices] of together) {
      const [strongest, second = 0] = voices.sort((x, y) => y - x);
      sum += strongest! + (group === asTwo ? second : 0);
    }
    return sum;
  }
}
