/** A run of text on a page, as PDF.js has it. */
export interface PlacedText {
  readonly str: string;
  /** How PDF.js read it: it puts `str` in logical order, run by run. */
  readonly dir: string;
  /** Matrix of the text: four numbers turn it and give its size, the last two are where it begins. */
  readonly transform: readonly number[];
  /** How far it reaches along its line and across, in the unit of the page. */
  readonly width: number;
  readonly height: number;
  /** Whether its letters stand below each other, as in Japanese. */
  readonly isVertical: boolean;
}

/** Least gap between two runs that is a space, in sizes of the text. PDF.js has the same for other text. */
const SPACE_MIN = 0.1;
/** Overlap of two runs that kerning does not make, in sizes of the text. */
const OVERLAP_MAX = 0.5;
/** Share of a run that the next one may cover: less would be a run upon the other. */
const COVERED_MAX = 0.9;
/** How far letters reach above their line and below it, in sizes of the text. */
const ABOVE = 0.8;
const BELOW = 0.2;
/** Cosine of the angle from which two runs are on lines of their own; letters on a curve turn by less. */
const TURN_MIN = 0.9;
/** A footnote or an exponent is raised by more, or smaller by more, than digits of one number are. */
const RAISED_MIN = 0.1;
const SMALLER_MIN = 0.8;
/** Accents that are drawn over the letter before them, or after them. */
const ACCENT_LAST = /[\p{M}\p{Sk}\p{Lm}]$/u;
const ACCENT_FIRST = /^[\p{M}\p{Sk}\p{Lm}]/u;

/** Whether the second of two runs is on another line of the page than the first, or is turned. */
export function isOnAnotherLine(before: PlacedText, text: PlacedText): boolean {
  const { across, turn } = step(before, text);
  const [above, below] = across > 0 ? [before, text] : [text, before];
  return turn < TURN_MIN || Math.abs(across) >= ABOVE * sizeOf(above) + BELOW * sizeOf(below);
}

/** Whether the second of two runs begins where the first ends. */
export function isNextTo(before: PlacedText, text: PlacedText): boolean {
  const { along, across } = step(before, text);
  return Math.max(Math.abs(along), Math.abs(across)) <= SPACE_MIN * sizeOf(before);
}

/**
 * What stands between two neighbors of a line: a line break where the second goes back, a space where they
 * are apart or where digits are raised behind a number, and else nothing: they are pieces of one word.
 */
export function separator(before: PlacedText, text: PlacedText): '' | ' ' | '\n' {
  if (/\s$/.test(before.str) || /^\s/.test(text.str)) return '';
  const { along, across } = step(before, text);
  const sizes = [sizeOf(before), sizeOf(text)];
  const size = Math.max(...sizes);
  if (along < -Math.min(OVERLAP_MAX * size, COVERED_MAX * lengthOf(before)))
    return ACCENT_LAST.test(before.str) || ACCENT_FIRST.test(text.str) ? '' : '\n';
  if (along > SPACE_MIN * size) return ' ';
  const isRaised = Math.abs(across) > RAISED_MIN * size || Math.min(...sizes) < SMALLER_MIN * size;
  return isRaised && /\p{Nd}$/u.test(before.str) && /^\p{Nd}/u.test(text.str) ? ' ' : '';
}

const sizeOf = ({ transform }: PlacedText): number => Math.hypot(transform[2]!, transform[3]!);
const lengthOf = ({ isVertical, width, height }: PlacedText): number => (isVertical ? height : width);

/** The direction in which a run is written, as a vector of length 1. */
function directionOf({ transform: [a = 1, b = 0, c = 0, d = 1], isVertical }: PlacedText): [number, number] {
  const [x, y] = isVertical ? [-c, -d] : [a, b];
  const length = Math.hypot(x, y);
  return length > 0 ? [x / length, y / length] : [1, 0];
}

/** The way from the end of a run to the next, along its line and across (up is positive), and their angle. */
function step(before: PlacedText, text: PlacedText): { along: number; across: number; turn: number } {
  const [x, y] = directionOf(before);
  const [nextX, nextY] = directionOf(text);
  const right = text.transform[4]! - before.transform[4]!;
  const up = text.transform[5]! - before.transform[5]!;
  return {
    along: right * x + up * y - lengthOf(before),
    across: up * x - right * y,
    turn: x * nextX + y * nextY,
  };
}
