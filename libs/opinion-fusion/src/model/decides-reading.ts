import { competenceOf } from './model.ts';
import type { Claim } from './model.ts';
import { isBelowFloor } from './reliability.ts';

/**
 * Whether a claim has a say in how the other values of its question are read: it is not retracted, and its
 * reliability × competence is at or above the floor.
 */
export const decidesReading = ({ status, actor, predicate }: Claim): boolean =>
  status !== 'retracted' && !isBelowFloor(actor.base * competenceOf(actor, predicate));
