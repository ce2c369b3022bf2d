/** A map that holds at most `capacity` weight and lets go of what was used longest ago. Not a cache of truth by itself. */
export class Lru<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly weight: number }>();
  readonly #capacity: number;
  readonly #onEvict: (value: V) => void;
  #weight = 0;

  /** `onEvict` is called for every value that leaves, replaced ones included. */
  constructor(capacity: number, onEvict: (value: V) => void = () => undefined) {
    this.#capacity = capacity;
    this.#onEvict = onEvict;
  }

  get weight(): number {
    return this.#weight;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A Map iterates in order of insertion: what is put back last is evicted last.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V, weight = 1): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    // The newest entry stays even if it alone is too heavy: its user needs it now.
    while (this.#weight > this.#capacity && this.#entries.size > 1) {
      this.delete(this.#entries.keys().next().value as K);
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
    this.#onEvict(entry.value);
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key);
  }
}
