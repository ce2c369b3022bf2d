import type { MergeResult } from './merge.ts';

export function mergeThreeWays(base: string, mine: string, current: string): MergeResult;
