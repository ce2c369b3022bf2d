import { textOf, type OpinionSummary } from '@platform/opinion-fusion';
import { renderToString } from 'preact-render-to-string';
import { coordinate } from '../format/numbers.ts';
import { plain, shortened } from '../format/text.ts';
import { capital, inBrackets } from '../format/words.ts';
import type { ShareSnapshot } from '../snapshot.ts';
import { sideText } from '../panes/overview/sides.ts';
import { LIGHT_COLORS } from '../format/light-colors.ts';
import { cardOf, type Card } from './card.ts';
import { drawableText, lineWidth, textLines } from './text-lines.ts';

/** The size that link previews show largest. Pixels. */
export const IMAGE_WIDTH = 1200;
export const IMAGE_HEIGHT = 630;
/** Family of the fonts that the image is painted with. */
export const IMAGE_FONT = 'Source Serif 4';

const MARGIN = 72;
const MEASURE = IMAGE_WIDTH - 2 * MARGIN;
const COLORS = { ...LIGHT_COLORS, paper: '#fcfbf8' };
const QUESTION = { size: 30, leading: 40, lines: 2 };
/** The largest size at which the answer fits. */
const ANSWERS = [
  { size: 64, leading: 76, lines: 2 },
  { size: 52, leading: 64, lines: 3 },
  { size: 42, leading: 52, lines: 4 },
];
const BAR = { top: 442, height: 26 };
const NAME_LENGTH = 50;
/** Between the labels of a row; em. */
const LABEL_GAP = 1;

/**
 * The preview image of a share as SVG of IMAGE_WIDTH × IMAGE_HEIGHT: question, answer with its chance, bar,
 * who says so. What its font cannot draw is left out. Pure.
 */
export function shareImage(snapshot: ShareSnapshot): string {
  return renderToString(<Image card={cardOf(snapshot)} />);
}

function Image({ card }: { readonly card: Card }) {
  const { finding } = card;
  const question = lines(card.question, QUESTION);
  const chance = finding && inBrackets(finding.chance);
  const answer = drawableText(textOf(card.answer));
  const said = answer === null ? (finding ? capital(finding.chance) : '') : `${answer}${chance ?? ''}`;
  const form =
    ANSWERS.find(({ size, lines: max }) => broken(said, { size, lines: max + 1 }).length <= max) ??
    ANSWERS.at(-1)!;
  const answerTop = MARGIN + question.length * QUESTION.leading + 24;
  const by = card.by.map((name) => drawableText(shortened(plain(name), NAME_LENGTH))).filter(Boolean);
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={IMAGE_WIDTH}
      height={IMAGE_HEIGHT}
      viewBox={`0 0 ${IMAGE_WIDTH} ${IMAGE_HEIGHT}`}
      font-family={IMAGE_FONT}
    >
      <rect width={IMAGE_WIDTH} height={IMAGE_HEIGHT} fill={COLORS.paper} />
      <rect width={IMAGE_WIDTH} height="12" fill={finding ? COLORS[finding.tone] : COLORS.soft} />
      {question.map((text, index) => (
        <text
          key={index}
          x={MARGIN}
          y={MARGIN + 30 + index * QUESTION.leading}
          font-size={QUESTION.size}
          fill={COLORS.soft}
        >
          {text}
        </text>
      ))}
      {broken(said, form).map((text, index) => (
        <text
          key={index}
          x={MARGIN}
          y={answerTop + form.size + index * form.leading}
          font-size={form.size}
          font-weight="600"
          fill={COLORS.ink}
        >
          {text}
        </text>
      ))}
      {finding && (
        <>
          <Bar opinion={finding.opinion} chance={finding.probability} />
          <Row
            y={BAR.top + BAR.height + 40}
            size={26}
            left={{ text: sideText(finding.sides, 'for'), color: COLORS.for }}
            middle={{ text: finding.evidence, color: COLORS.soft }}
            right={{ text: sideText(finding.sides, 'against'), color: COLORS.against }}
          />
        </>
      )}
      <line
        x1={MARGIN}
        x2={IMAGE_WIDTH - MARGIN}
        y1={IMAGE_HEIGHT - 92}
        y2={IMAGE_HEIGHT - 92}
        stroke={COLORS.line}
        stroke-width="2"
      />
      <Row
        y={IMAGE_HEIGHT - 46}
        size={22}
        left={{
          text: broken(by.join(', '), { size: 22, lines: 1, width: MEASURE / 2 })[0] ?? '',
          color: COLORS.ink,
        }}
        right={{ text: card.taken, color: COLORS.soft }}
      />
    </svg>
  );
}

interface Label {
  readonly text: string;
  readonly color: string;
}

/** Labels at both ends and between them, smaller where they would not fit side by side. */
function Row({
  y,
  size: largest,
  left,
  middle,
  right,
}: {
  readonly y: number;
  readonly size: number;
  readonly left: Label;
  readonly middle?: Label;
  readonly right: Label;
}) {
  const [before, between, after] = [left, middle, right].map((label) => lineWidth(label?.text ?? ''));
  const gaps = middle ? 2 * LABEL_GAP : LABEL_GAP;
  const size = Math.min(largest, Math.floor(MEASURE / (before! + between! + after! + gaps)));
  // In the middle of the image, unless a side reaches that far.
  const half = size * (between! / 2 + LABEL_GAP);
  const from = MARGIN + size * before! + half;
  const to = IMAGE_WIDTH - MARGIN - size * after! - half;
  const places = [
    [left, MARGIN, 'start'],
    [middle, coordinate(Math.max(from, Math.min(IMAGE_WIDTH / 2, to))), 'middle'],
    [right, IMAGE_WIDTH - MARGIN, 'end'],
  ] as const;
  return places.map(
    ([label, x, anchor]) =>
      label && (
        <text key={anchor} x={x} y={y} font-size={size} text-anchor={anchor} fill={label.color}>
          {label.text}
        </text>
      ),
  );
}

/** The bar of the page: support from the left, opposition from the right, a line at the chance. */
function Bar({ opinion, chance }: { readonly opinion: OpinionSummary; readonly chance: number | null }) {
  const { support, opposition } = opinion;
  const at = (share: number) => coordinate(MARGIN + share * MEASURE);
  const place = { y: BAR.top, height: BAR.height };
  return (
    <>
      <rect x={MARGIN} width={MEASURE} fill={COLORS.uncertainty} {...place} />
      <rect x={MARGIN} width={coordinate(support * MEASURE)} fill={COLORS.for} {...place} />
      <rect
        x={at(1 - opposition)}
        width={coordinate(opposition * MEASURE)}
        fill={COLORS.against}
        {...place}
      />
      {chance !== null && <rect x={at(chance)} width="4" fill={COLORS.ink} {...place} />}
    </>
  );
}

const lines = (text: string, form: { readonly size: number; readonly lines: number }): string[] =>
  broken(drawableText(text) ?? '', form);

const broken = (
  text: string,
  form: { readonly size: number; readonly lines: number; readonly width?: number },
): string[] => textLines(text, { width: (form.width ?? MEASURE) / form.size, max: form.lines });
