/** Every constant of the model, once: unit, range and the rule it belongs to. */

/** Non-informative prior weight W: how much evidence uncertainty stands for. Evidence items, > 0. Jøsang 2016, §3.3.2. */
export const PRIOR_WEIGHT = 2;
/** Base rate a of an opinion unless given. Probability. Reasoning model §1. */
export const BASE_RATE = 0.5;
