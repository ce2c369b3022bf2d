import { LIGHT_COLORS } from '../format/light-colors.ts';
import type { Element } from './markup.ts';

export const COLORS = { ...LIGHT_COLORS, link: '#1b558f' } as const;

/** One scale, each size a quarter larger than the one before. Points. */
export const SIZES = { small: 8, body: 10, large: 12.5, title: 15.6, answer: 24.4 } as const;

/** How words are set. */
export interface Look {
  readonly font: 'regular' | 'semibold';
  readonly size: number;
  readonly color: keyof typeof COLORS;
  readonly link?: string;
}
export const PLAIN: Look = { font: 'regular', size: SIZES.body, color: 'ink' };

/** How an element is set. Lengths in points. */
interface Block {
  /** A paragraph, a container, or something of its own. */
  readonly form: 'text' | 'flow' | 'list' | 'rows' | 'bar' | 'ends';
  /** Its type in the structure of the document, where it is a paragraph (PDF 1.7 §14.8.4). */
  readonly tag?: string;
  readonly look?: Partial<Look>;
  readonly before?: number;
  readonly after?: number;
  /** Room that has to be left on the page, so that no heading stands alone at its end. */
  readonly keep?: number;
  readonly indent?: number;
  /** What stands between its parts in a line. */
  readonly joined?: string;
}

const soft = { color: 'soft' } as const;
const small = { size: SIZES.small, color: 'soft' } as const;
const BY_CLASS: Readonly<Record<string, Partial<Block>>> = {
  'frozen-badge': { look: small, after: 14 },
  'answer-headline': { look: { size: SIZES.answer, font: 'semibold' }, after: 12 },
  'answer-headline-long': { look: { size: SIZES.title, font: 'semibold' }, after: 12 },
  'answer-sources': { look: { size: SIZES.large }, after: 8 },
  'answer-condition': { look: { size: SIZES.large }, after: 8 },
  'answer-next': { look: { ...soft, size: SIZES.large }, after: 14 },
  'answer-bar': { before: 6, after: 16 },
  interpretation: { before: 14, after: 6 },
  'interpretation-label': { look: small, after: 4 },
  byline: { look: soft, before: 8 },
  scope: { look: soft, before: 8 },
  notice: { look: soft },
  'finding-statement': { look: { size: SIZES.large, font: 'regular' }, before: 18, after: 6, keep: 96 },
  'finding-line': { look: { size: SIZES.body }, before: 6, after: 3 },
  'finding-sides': { form: 'ends', look: small, after: 4 },
  facts: { form: 'text', look: small, joined: ' · ', after: 8 },
  'finding-reasons': { after: 8 },
  'reasons-none': { look: soft, before: 6 },
  more: { look: small },
  copies: { look: small },
  'legend-title': {
    tag: 'H3',
    look: { font: 'semibold', size: SIZES.large },
    before: 20,
    after: 5,
    keep: 170,
  },
  cited: { joined: ' · ' },
  'source-card': { before: 12, after: 4 },
  'source-trust': { look: soft },
  'source-alike': { look: soft },
  'source-claims': { indent: 14 },
  'gap-suggestion': { look: soft, after: 8 },
  'audit-note': { look: soft },
  'distinctions-note': { look: soft },
  'distinction-status': { look: soft },
  'distinction-letter': { look: { font: 'semibold' }, after: 0, keep: 48 },
  'distinction-claim': { before: 8 },
  'bar-legend': { form: 'ends', look: small, after: 6 },
  'page-foot': { look: small, before: 20 },
};

const heading = (tag: string, look: Partial<Look>, before: number, after: number, keep: number): Block => ({
  form: 'text',
  tag,
  look: { font: 'semibold', ...look },
  before,
  after,
  keep,
});
const BY_TAG: Readonly<Record<string, Block>> = {
  h1: heading('H1', { font: 'regular', size: SIZES.title, color: 'soft' }, 0, 10, 0),
  h2: heading('H2', { size: SIZES.title }, 34, 8, 230),
  h3: heading('H3', { size: SIZES.large }, 20, 5, 170),
  h4: heading('H4', {}, 14, 4, 80),
  h5: heading('H5', { color: 'soft' }, 8, 3, 48),
  p: { form: 'text', tag: 'P', after: 5 },
  summary: { form: 'text', tag: 'P', look: { color: 'soft' }, after: 3 },
  dt: { form: 'text', tag: 'P', look: { font: 'semibold' } },
  dd: { form: 'text', tag: 'P', after: 4, indent: 14 },
  ul: { form: 'list', after: 4 },
  ol: { form: 'list', after: 4 },
  li: { form: 'flow', after: 4 },
};

const classesOf = ({ attributes }: Element) => (attributes['class'] ?? '').split(' ');

/** How an element that stands by itself is set. */
export function blockOf(element: Element): Block {
  const classes = classesOf(element);
  if (element.tag === 'svg') return { form: 'bar', before: 2 };
  const own = BY_TAG[element.tag] ?? ({ form: 'flow' } satisfies Block);
  const more = classes.map((name) => BY_CLASS[name]).find((style) => style !== undefined);
  const isRows = classes.includes('record-list');
  return {
    ...own,
    ...more,
    ...(isRows && { form: 'rows' }),
    look: { ...own.look, ...more?.look },
  };
}

const INLINE = new Set('a abbr b bdi br cite code em i label q s small span strong sub sup time'.split(' '));

/** Whether an element stands in a line: a fold or a list in it makes it a block. */
export const isInline = ({ tag, children }: Element): boolean =>
  INLINE.has(tag) && children.every((child) => typeof child === 'string' || isInline(child));

/** What the styles of the page set apart from the words before it. */
const APART = new Set(['cited', 'cited-quote', 'flag', 'quote-state', 'reason-note', 'reason-source']);
export const isApart = (element: Element): boolean => classesOf(element).some((name) => APART.has(name));

const COLOR_BY_CLASS: Readonly<Record<string, Look['color']>> = {
  'tone-for': 'for',
  'tone-against': 'against',
  'tone-open': 'open',
  'name-support': 'for',
  'name-opposition': 'against',
  flag: 'open',
  cited: 'soft',
  'cited-name': 'ink',
  'audit-note': 'soft',
  'reason-note': 'soft',
  'cited-quote': 'soft',
  'ranked-meaning': 'soft',
  'quote-state': 'soft',
  'source-link': 'link',
};
const SEMIBOLD = new Set(['finding-word', 'cited-name', 'answer-chance']);

/** How words in an inline element are set. */
export function inlineOf(element: Element, look: Look): Look {
  const classes = classesOf(element);
  const color =
    element.tag === 'p' && classes.includes('answer-headline')
      ? undefined
      : classes.map((name) => COLOR_BY_CLASS[name]).find((one) => one !== undefined);
  const isStrong =
    element.tag === 'b' || element.tag === 'strong' || classes.some((name) => SEMIBOLD.has(name));
  const isCode = element.tag === 'code';
  if (color === undefined && !isStrong && !isCode) return look;
  return {
    ...look,
    ...(isCode && { size: SIZES.small }),
    ...(color && { color }),
    ...(isStrong && { font: 'semibold' }),
  };
}

const LEFT_OUT_TAGS = new Set(['button', 'dialog', 'input', 'label', 'nav', 'script', 'select']);
const LEFT_OUT = new Set([
  'distinction-links',
  'finding-opinion',
  'findings-order',
  'scripted-only',
  'visually-hidden',
]);

/** What has its use on a screen alone, and what says in a drawing what words beside it say. */
export function isLeftOut(element: Element): boolean {
  const classes = classesOf(element);
  if (LEFT_OUT_TAGS.has(element.tag) || classes.some((name) => LEFT_OUT.has(name))) return true;
  return element.attributes['aria-hidden'] === 'true' && !classes.includes('distinction-letter');
}
