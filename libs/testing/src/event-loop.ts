/**
 * Runs work and returns in how many turns of the event loop it ended; `turn` gives those so far. More than
 * one shows that long work gives way to other work. Rejects as the work does.
 */
export async function turnsOf(work: (turn: () => number) => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  try {
    await work(() => turns);
  } finally {
    clearImmediate(next);
  }
  return turns;
}
