/** An item in the queue and its owner. */
export interface Waiting<Item> {
  readonly owner: string;
  readonly item: Item;
}

/**
 * A bounded queue that is fair by owner. Next comes the owner with the least in service; between equals, the
 * owner whose last service is longest ago. Within one owner the order is first in, first out.
 */
export interface FairQueue<Item> {
  /** The number of items that wait. */
  readonly size: number;
  /** Whether `take` has an item: one whose owner may have more in service. */
  readonly hasNext: boolean;
  /**
   * Adds an item. In a full queue it displaces the newest item of the owner with the most waiting, if that
   * leaves the owner no fewer than the newcomer's owner will have; else it is not added. Returns the item
   * that found no place.
   */
  push(owner: string, item: Item): Item | undefined;
  /**
   * Counts the owner as in service at once, without waiting; false when as much of it is in service as may
   * be.
   */
  serve(owner: string): boolean;
  /**
   * Takes the next item; its owner counts as in service until `release`. undefined when none may be taken.
   */
  take(): Waiting<Item> | undefined;
  /** The service of an item that was taken is over. */
  release(owner: string): void;
  /** Removes an item that waits; false when it does not wait any more. */
  remove(owner: string, item: Item): boolean;
  /** Removes and returns everything that waits. */
  clear(): Item[];
}

/** `capacity` items may wait; of one owner at most `inServiceMax` are taken at a time (default: no limit). */
export function createFairQueue<Item>(options: {
  readonly capacity: number;
  readonly inServiceMax?: number;
}): FairQueue<Item> {
  const { capacity, inServiceMax = Infinity } = options;
  /** Items by owner; the owner served longest ago stands in front, and no list is empty. */
  const waiting = new Map<string, Item[]>();
  const inService = new Map<string, number>();
  let size = 0;

  function longest(): Item[] {
    let found: Item[] = [];
    for (const items of waiting.values()) if (items.length > found.length) found = items;
    return found;
  }

  function toBack(owner: string): void {
    const items = waiting.get(owner);
    if (items === undefined) return;
    waiting.delete(owner);
    if (items.length > 0) waiting.set(owner, items);
  }

  /** The owner whose turn it is, and how much of it is in service. */
  function nextOwner(): { readonly owner: string; readonly count: number } | undefined {
    let next: { owner: string; count: number } | undefined;
    for (const owner of waiting.keys()) {
      const count = inService.get(owner) ?? 0;
      if (count >= (next?.count ?? inServiceMax)) continue;
      next = { owner, count };
      if (count === 0) break;
    }
    return next;
  }

  return {
    get size() {
      return size;
    },
    get hasNext() {
      return nextOwner() !== undefined;
    },
    push(owner, item) {
      const own = waiting.get(owner);
      let displaced: Item | undefined;
      if (size >= capacity) {
        const most = longest();
        if (most.length <= (own?.length ?? 0) + 1) return item;
        displaced = most.pop();
        size--;
      }
      if (own === undefined) waiting.set(owner, [item]);
      else own.push(item);
      size++;
      return displaced;
    },
    serve(owner) {
      const count = inService.get(owner) ?? 0;
      if (count >= inServiceMax) return false;
      inService.set(owner, count + 1);
      toBack(owner);
      return true;
    },
    take() {
      const next = nextOwner();
      if (next === undefined) return undefined;
      const { owner, count } = next;
      const item = waiting.get(owner)!.shift() as Item;
      toBack(owner);
      inService.set(owner, count + 1);
      size--;
      return { owner, item };
    },
    release(owner) {
      const count = (inService.get(owner) ?? 0) - 1;
      if (count > 0) inService.set(owner, count);
      else inService.delete(owner);
      toBack(owner);
    },
    remove(owner, item) {
      const own = waiting.get(owner);
      const place = own?.indexOf(item) ?? -1;
      if (own === undefined || place === -1) return false;
      own.splice(place, 1);
      if (own.length === 0) waiting.delete(owner);
      size--;
      return true;
    },
    clear() {
      const items = [...waiting.values()].flat();
      waiting.clear();
      size = 0;
      return items;
    },
  };
}
