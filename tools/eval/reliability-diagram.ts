import type { Bin } from '@platform/opinion-fusion';

/** One panel: a method's bins of stated chances. */
export interface Panel {
  readonly title: string;
  readonly bins: readonly Bin[];
  readonly calibrationError: number;
}

const SIZE = 200;
const GAP = 56;
const TOP = 40;
const COLUMNS = 3;

/**
 * Reliability diagrams side by side: stated chance to the right, share of right answers upwards; on the
 * diagonal a method is as often right as it says. The area of a dot is the share of answers in its bin.
 * Source: A. H. Murphy, R. L. Winkler, Reliability of subjective probability forecasts of precipitation and
 * temperature, Applied Statistics 26(1), 1977.
 */
export function reliabilityDiagram(panels: readonly Panel[]): string {
  const columns = Math.min(COLUMNS, panels.length);
  const width = columns * (SIZE + GAP) + 20;
  const height = Math.ceil(panels.length / columns) * (SIZE + GAP + TOP) + 10;
  const body = panels.map((panel, k) => {
    const x = 46 + (k % columns) * (SIZE + GAP);
    const y = TOP + Math.floor(k / columns) * (SIZE + GAP + TOP);
    return `<g transform="translate(${x} ${y})">\n${drawPanel(panel)}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="11" role="img">
<title>Reliability diagrams: stated chance against share of right answers</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${body.join('\n')}
</svg>
`;
}

function drawPanel({ title, bins, calibrationError }: Panel): string {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const filled = bins.filter(({ count }) => count > 0);
  const at = ({ stated, right }: Bin) => `${fixed(stated * SIZE)} ${fixed((1 - right) * SIZE)}`;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (tick) =>
      `<text x="${tick * SIZE}" y="${SIZE + 14}" text-anchor="middle" fill="#555">${tick}</text><text x="-6" y="${(1 - tick) * SIZE + 4}" text-anchor="end" fill="#555">${tick}</text>`,
  );
  return [
    `<text x="0" y="-20" font-weight="600" fill="#111">${escape(title)}</text>`,
    `<text x="0" y="-6" fill="#555">calibration error ${calibrationError.toFixed(3)}</text>`,
    `<rect width="${SIZE}" height="${SIZE}" fill="#f7f7f7" stroke="#bbb"/>`,
    `<path d="M0 ${SIZE}L${SIZE} 0" stroke="#999" stroke-dasharray="4 4"/>`,
    ...ticks,
    `<text x="${SIZE / 2}" y="${SIZE + 28}" text-anchor="middle" fill="#555">stated chance</text>`,
    `<path d="M${filled.map(at).join('L')}" fill="none" stroke="#0b5cad" stroke-width="1.5"/>`,
    ...filled.map((bin) => {
      const [x, y] = at(bin).split(' ');
      return `<circle cx="${x}" cy="${y}" r="${fixed(2 + 14 * Math.sqrt(bin.count / total))}" fill="#0b5cad" fill-opacity="0.35" stroke="#0b5cad"/>`;
    }),
  ].join('\n');
}

function fixed(value: number): string {
  return value.toFixed(1);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
