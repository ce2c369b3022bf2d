/** A queue of what owners wait for: within one owner first come, first served, and owners take turns. */
export interface Turns<Item> {
  readonly size: number;
  countOf(owner: string): number;
  push(owner: string, item: Item): void;
  /** Takes the item whose turn it is; undefined when nobody waits. */
  take(): Item | undefined;
  /** Takes `item` out, if it is there. */
  remove(owner: string, item: Item): void;
  /** Takes the newest of the owner with most items, when he has more than `count`. */
  takeFromLongest(count: number): Item | undefined;
}

export function createTurns<Item>(): Turns<Item> {
  /** Whose turn it is first stands in front; none is empty. */
  const queues = new Map<string, Item[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    countOf: (owner) => queues.get(owner)?.length ?? 0,
    push(owner, item) {
      const own = queues.get(owner);
      if (own === undefined) queues.set(owner, [item]);
      else own.push(item);
      size++;
    },
    take() {
      const [first] = queues;
      if (first === undefined) return undefined;
      const [owner, own] = first;
      queues.delete(owner);
      const item = own.shift();
      if (own.length > 0) queues.set(owner, own);
      size--;
      return item;
    },
    remove(owner, item) {
      const own = queues.get(owner);
      const place = own?.indexOf(item) ?? -1;
      if (own === undefined || place === -1) return;
      own.splice(place, 1);
      if (own.length === 0) queues.delete(owner);
      size--;
    },
    takeFromLongest(count) {
      let longest: Item[] = [];
      for (const own of queues.values()) if (own.length > longest.length) longest = own;
      // Such a queue keeps at least `count` items, so it is not emptied as long as that is 1 or more.
      if (longest.length <= count) return undefined;
      size--;
      return longest.pop();
    },
  };
}
