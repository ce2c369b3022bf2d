import { SEED } from './seed.ts';

/** Rounds after which a property that still lacks cases is wrong about its generators. */
const ROUNDS_MAX = 50;

/**
 * Runs a property in rounds, each from a seed of its own, until it has seen enough of the cases that its
 * generators make only sometimes; how many one round makes is chance, so no single round has to make enough.
 * Errors: what a round throws; the cases are still too few after 50 rounds.
 */
export function inRounds(isEnough: () => boolean, round: (seed: number) => void): void {
  for (let made = 0; !isEnough(); made += 1) {
    if (made === ROUNDS_MAX) throw new Error(`Too few cases after ${ROUNDS_MAX} rounds from seed ${SEED}`);
    round(SEED + made);
  }
}
