const NO_BREAK_SPACE = '\u00a0';

/**
 * A probability as `72 %`. Never `0 %` or `100 %` unless it is exactly that: the rest reads `< 1 %`,
 * `> 99 %`.
 */
export function percent(probability: number): string {
  const rounded = Math.round(probability * 100);
  if (rounded === 0 && probability > 0) return `<${NO_BREAK_SPACE}1${NO_BREAK_SPACE}%`;
  if (rounded === 100 && probability < 1) return `>${NO_BREAK_SPACE}99${NO_BREAK_SPACE}%`;
  return `${rounded}${NO_BREAK_SPACE}%`;
}

/**
 * A distance between probabilities in percentage points, `17 points`; never `0 points` unless it is exactly
 * that.
 */
export function points(shift: number): string {
  const rounded = Math.round(shift * 100);
  if (rounded === 0 && shift > 0) return `less than 1${NO_BREAK_SPACE}point`;
  return `${rounded}${NO_BREAK_SPACE}${rounded === 1 ? 'point' : 'points'}`;
}

/** A number with two decimals, `0.31`; a positive one that would read 0.00 is `< 0.01`. */
export function decimal(value: number): string {
  if (value > 0 && value < 0.005) return `<${NO_BREAK_SPACE}0.01`;
  return (Object.is(value, -0) ? 0 : value).toFixed(2);
}

/** A change with its sign, `+0.18`, `−0.04` (a true minus sign), `±0.00`. */
export function signed(value: number): string {
  const size = Math.abs(value).toFixed(2);
  if (size === '0.00') return '±0.00';
  return `${value < 0 ? '\u2212' : '+'}${size}`;
}

/** Digits in groups of three from five digits on, parted by no-break spaces: `73 000`. */
export function count(value: number): string {
  const digits = String(Math.round(value));
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, NO_BREAK_SPACE);
}

/** A number with its noun: `1 claim`, `12 claims`. The plural is the noun with an s unless given. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)}${NO_BREAK_SPACE}${value === 1 ? noun : plural}`;
}

/** SVG coordinates and lengths: at most three decimals, so that server and browser write the same digits. */
export function coordinate(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
