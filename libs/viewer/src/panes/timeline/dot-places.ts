import { SIDES, type Side, type Weight } from './claim-weights.ts';
import { shareOf, type Span } from './time-scale.ts';
import type { Moment } from './timeline-layout.ts';

/** A dot with the room that a finger or a pointer needs around it, pixels (WCAG 2.2, 2.5.8). */
export const DOT_ROOM = 24;
/** Of the largest dot, pixels. */
const RADIUS_MAX = 11;
/** Of the smallest that is seen, and of one that is not counted, pixels. */
const RADIUS_MIN = 3;
const RADIUS_HOLLOW = 4.5;
/** The width at which dots must not overlap: that of the drawing on a screen of 320 px. */
const NARROWEST = 288;
/** A share of the width; less than a thousandth of a pixel is no overlap. */
const APART = DOT_ROOM / NARROWEST;
const TOLERANCE = 1e-6;
/** So many dots stand on one another before the next ones move sideways. */
const STACK_MAX = 8;

/** One claim of a lane. */
export interface Dot {
  readonly moment: Moment;
  readonly weight: Weight;
  /** Its time as a share of the span, or the nearest place beside it where too many are of one time. */
  readonly x: number;
  /** Pixels from the top of the lane. */
  readonly y: number;
  readonly radius: number;
}

export interface DotRow {
  readonly dots: readonly Dot[];
  /** The height in pixels. */
  readonly height: number;
  /**
   * What parts the dots for, above it, from those against, below it: a line, or a band that holds those that
   * are not counted. Pixels from the top.
   */
  readonly band: { readonly top: number; readonly height: number };
  /** Claims before the span and after it. */
  readonly earlier: number;
  readonly later: number;
}

/**
 * Places for the claims of a lane: those for the leading answer above a band, those against it below, those
 * that do not count in it; by time from left to right, stacked where they would overlap. The same claims get
 * the same places at every width. `heaviest` is the weight of the largest dot. Pure.
 */
export function dotRow(
  moments: readonly Moment[],
  weights: ReadonlyMap<string, Weight>,
  { span, heaviest }: { readonly span: Span; readonly heaviest: number },
): DotRow {
  const shown = moments.filter(({ at }) => at! >= span.from && at! <= span.to);
  const weighed = shown.map((moment) => ({
    moment,
    weight: weights.get(moment.claim.id)!,
    at: shareOf(span, moment.at!),
  }));
  const dots: Dot[] = [];
  const tops: number[] = [];
  let top = 0;
  for (const side of SIDES) {
    const band = weighed.filter(({ weight }) => weight.side === side);
    const places = stacked(band.map(({ at }) => at));
    const levels = Math.max(0, ...places.map(({ level }) => level + 1));
    tops.push(top);
    for (const [index, { moment, weight }] of band.entries()) {
      const { x, level } = places[index]!;
      // Those for the answer rise from the band, the others hang from its top or below it.
      const row = side === 'for' ? levels - 1 - level : level;
      const y = top + (row + 0.5) * DOT_ROOM;
      dots.push({ moment, weight, x, y, radius: radiusOf(side, weight.counted / heaviest) });
    }
    top += levels * DOT_ROOM;
  }
  return {
    dots: dots.toSorted((a, b) => a.moment.at! - b.moment.at! || a.x - b.x),
    height: Math.max(top, DOT_ROOM),
    band: top === 0 ? { top: DOT_ROOM / 2, height: 0 } : { top: tops[1]!, height: tops[2]! - tops[1]! },
    earlier: moments.filter(({ at }) => at! < span.from).length,
    later: moments.filter(({ at }) => at! > span.to).length,
  };
}

/** The area of a dot is its weight, unless it would be too small to be seen. */
function radiusOf(side: Side, share: number): number {
  return side === 'none' ? RADIUS_HOLLOW : Math.max(RADIUS_MIN, RADIUS_MAX * Math.sqrt(share));
}

/**
 * For instants in the order of time the nearest free place and the level, 0 nearest the band. Dots of one
 * level are APART. Where STACK_MAX levels are full as far as the lane goes, there are more.
 */
function stacked(instants: readonly number[]): { readonly x: number; readonly level: number }[] {
  const levels: number[][] = [];
  const isFree = (level: number, x: number) =>
    (levels[level] ?? []).every((other) => Math.abs(other - x) >= APART - TOLERANCE);
  const put = (x: number, level: number) => {
    (levels[level] ??= []).push(x);
    return { x, level };
  };
  return instants.map((at) => {
    for (let most = STACK_MAX; ; most *= 2)
      for (let step = 0; step * APART <= 1; step += 1)
        for (const x of step === 0 ? [at] : [at + step * APART, at - step * APART]) {
          if (x < 0 || x > 1) continue;
          for (let level = 0; level < most; level += 1) if (isFree(level, x)) return put(x, level);
        }
  });
}
