import { coordinate, decimal } from '../format/numbers.ts';

const WIDTH = 40;
const HEIGHT = 8;

/** How far the claims of a verdict shut each other out, as a short filled scale with its number. */
export function DisputeMeter({ level }: { readonly level: number }) {
  if (level === 0) return <span>no dispute</span>;
  return (
    <span class="dispute-meter">
      dispute {decimal(level)}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
        <rect class="meter-scale" width={WIDTH} height={HEIGHT} rx="2" />
        <rect class="meter-fill" width={coordinate(level * WIDTH)} height={HEIGHT} rx="2" />
      </svg>
    </span>
  );
}
