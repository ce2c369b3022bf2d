import Pdf from 'pdfkit';
import { plain, shortened } from '../format/text.ts';
import { escapedXml } from '../format/xml.ts';
import { linesOf, type Atom } from './break-lines.ts';
import { piecesOf } from './drawable.ts';
import { textIn, treeOf, type Element, type Node } from './markup.ts';
import {
  blockOf,
  COLORS,
  inlineOf,
  isApart,
  isInline,
  isLeftOut,
  PLAIN,
  SIZES,
  type Look,
} from './report-styles.ts';

/** TrueType fonts that a report is set in, whole. */
export interface ReportFonts {
  readonly regular: Uint8Array;
  readonly semibold: Uint8Array;
}

/** What a report says about itself, and how its links are followed. */
export interface ReportFrame {
  readonly title: string;
  readonly author: string;
  /** When it was judged or published; the time of the file, too, so that its bytes stay the same. */
  readonly date: Date;
  /** Color of the band at its top. */
  readonly tone: keyof typeof COLORS;
  /** The absolute address of a link of the page; null where the report can lead nowhere. */
  readonly addressOf: (href: string) => string | null;
  /** Characters of one text of a user that are drawn; the rest is in the downloads. */
  readonly textMax: number;
}

export interface PaintedReport {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pages: number;
  /** Whether something was named because the fonts lack it, and whether a text was cut. */
  readonly isNamed: boolean;
  readonly isCut: boolean;
}

/** A4 in points, and the margins that leave some 85 characters to a line. */
const PAGE = { width: 595.28, height: 841.89, side: 76, top: 66, bottom: 78 };
const MEASURE = PAGE.width - 2 * PAGE.side;
const BOTTOM = PAGE.height - PAGE.bottom;
const LEADING = 1.42;
/** Height of the bar of an opinion, of the units of its drawing. */
const BAR_UNIT = 0.75;
/** Room for the number of an item, or the weight of a reason. */
const LABEL_WIDTH = 30;
const TITLE_LENGTH = 300;
const FOOTER_TITLE_LENGTH = 70;

/** The library writes title and author into the XML of the file as they stand. */
class TaggedPdf extends Pdf {
  override endMetadata(): void {
    const { info } = this;
    this.info = {
      ...info,
      Title: escapedXml(info.Title ?? ''),
      Author: escapedXml(info.Author ?? ''),
    };
    (Pdf.prototype as unknown as Pick<TaggedPdf, 'endMetadata'>).endMetadata.call(this);
  }
}

type Structure = PDFKit.PDFStructureElement;
type FontName = Look['font'];

interface Place {
  readonly parent: Structure;
  readonly x: number;
  readonly width: number;
  readonly look: Look;
}

/**
 * Draws what the page renders as a tagged PDF: headings, paragraphs, lists, links and figures with their text
 * as elements in reading order (PDF 1.7 §14.7 and §14.8, PDF/UA-1). The same markup, frame and fonts give the
 * same bytes.
 */
export function paintReport(markup: string, frame: ReportFrame, fonts: ReportFonts): PaintedReport {
  return new Painter(frame, fonts).paint(treeOf(markup));
}

class Painter {
  readonly #frame: ReportFrame;
  readonly #doc: PDFKit.PDFDocument;
  readonly #has: Readonly<Record<FontName, (codePoint: number) => boolean>>;
  /** Widths of words in em. */
  readonly #widths = { regular: new Map<string, number>(), semibold: new Map<string, number>() };
  #y = PAGE.top;
  #space = 0;
  /** Of the last heading. */
  #level = 0;
  #isNamed = false;
  #isCut = false;

  constructor(frame: ReportFrame, fonts: ReportFonts) {
    this.#frame = frame;
    this.#doc = new TaggedPdf({
      size: [PAGE.width, PAGE.height],
      margin: 0,
      pdfVersion: '1.7',
      // The types know no PDF/UA and no font of bytes.
      subset: 'PDF/UA' as 'PDF/A-1',
      tagged: true,
      lang: 'en',
      displayTitle: true,
      bufferPages: true,
      // Not Helvetica, which would not be embedded; and a font that is opened twice is opened at every use.
      font: '',
      info: {
        Title: shortened(plain(frame.title), TITLE_LENGTH),
        Author: plain(frame.author),
        Creator: 'investigation-api',
        CreationDate: frame.date,
        ModDate: frame.date,
      },
    });
    const coverage = (name: FontName) => {
      this.#doc.registerFont(name, fonts[name]);
      this.#doc.font(name);
      // The library has no way of its own to ask which characters a font has.
      const { font } = (this.#doc as unknown as { _font: { font: Coverage } })._font;
      return (codePoint: number) => font.hasGlyphForCodePoint(codePoint);
    };
    this.#has = { regular: coverage('regular'), semibold: coverage('semibold') };
  }

  paint(tree: Element): PaintedReport {
    const root = this.#doc.struct('Document');
    this.#doc.addStructure(root);
    this.#doc.markContent('Artifact', { type: 'Layout' });
    this.#doc.rect(0, 0, PAGE.width, 5).fill(COLORS[this.#frame.tone]);
    this.#doc.endMarkedContent();
    this.#flow(tree.children, { parent: root, x: PAGE.side, width: MEASURE, look: PLAIN });
    root.end();
    const { count } = this.#doc.bufferedPageRange();
    for (let page = 0; page < count; page++) this.#footer(page, count);
    this.#doc.end();
    return { bytes: this.#bytes(), pages: count, isNamed: this.#isNamed, isCut: this.#isCut };
  }

  /** The library compresses and writes at once, so that all there is can be read when it has ended. */
  #bytes(): Uint8Array<ArrayBuffer> {
    const chunks: Buffer[] = [];
    for (
      let chunk = this.#doc.read() as Buffer | null;
      chunk !== null;
      chunk = this.#doc.read() as Buffer | null
    )
      chunks.push(chunk);
    return Uint8Array.from(Buffer.concat(chunks));
  }

  #flow(nodes: readonly Node[], place: Place): void {
    let inline: Node[] = [];
    const flush = () => {
      if (inline.some((node) => textIn(node).trim() !== ''))
        this.#paragraph(this.#atoms(inline, place.look), place, 'P');
      inline = [];
    };
    for (const node of nodes) {
      if (typeof node !== 'string' && isLeftOut(node)) continue;
      if (typeof node === 'string' || isInline(node)) inline.push(node);
      else {
        flush();
        this.#block(node, place);
      }
    }
    flush();
  }

  #block(element: Element, outer: Place): void {
    const style = blockOf(element);
    const look = inlineOf(element, { ...outer.look, ...style.look });
    const place = {
      ...outer,
      look,
      x: outer.x + (style.indent ?? 0),
      width: outer.width - (style.indent ?? 0),
    };
    this.#space = Math.max(this.#space, style.before ?? 0);
    if (style.keep !== undefined) this.#makeRoom(style.keep);
    switch (style.form) {
      case 'bar':
        this.#bar(element, place);
        break;
      case 'ends':
        this.#ends(element, place);
        break;
      case 'text':
        this.#paragraph(
          this.#atoms(element.children, look, {
            joined: style.joined,
            isOfUser: 'dir' in element.attributes,
          }),
          place,
          this.#tagOf(style.tag ?? 'P'),
        );
        break;
      case 'list':
        this.#list(element, place);
        break;
      case 'rows':
        this.#rows(element, place);
        break;
      case 'flow':
        this.#flow(element.children, place);
    }
    this.#space = Math.max(this.#space, style.after ?? 0);
  }

  /** No heading is more than one level below the one before it (PDF/UA-1 §7.4.2). */
  #tagOf(tag: string): string {
    const level = Number(/^H(\d)$/.exec(tag)?.[1] ?? 0);
    if (level === 0) return tag;
    this.#level = Math.min(level, this.#level + 1);
    return `H${this.#level}`;
  }

  #list(element: Element, place: Place): void {
    const list = this.#element('L', place.parent);
    let number = 0;
    for (const item of element.children) {
      if (typeof item === 'string' || item.tag !== 'li' || isLeftOut(item)) continue;
      number += 1;
      const li = this.#element('LI', list);
      const { before = 0, after = 0 } = blockOf(item);
      this.#space = Math.max(this.#space, before);
      const [label, rest] = labelOf(item, element.tag === 'ol' ? `${number}.` : null);
      const indent = label === null ? 0 : LABEL_WIDTH;
      if (label !== null) {
        this.#makeRoom(place.look.size * LEADING * 2);
        this.#applySpace();
        const top = this.#y;
        const marks = this.#atoms([label], { ...place.look, font: 'semibold', color: 'soft' });
        this.#paragraph(marks, { ...place, parent: li, width: indent }, 'Lbl');
        this.#y = top;
        this.#space = 0;
      }
      const body = this.#element('LBody', li);
      this.#flow(rest, {
        parent: body,
        x: place.x + indent,
        width: place.width - indent,
        look: inlineOf(item, place.look),
      });
      body.end();
      li.end();
      this.#space = Math.max(this.#space, after);
    }
    list.end();
  }

  /** A list of names and values in two columns. */
  #rows(element: Element, place: Place): void {
    const NAMES = 150;
    const list = this.#element('L', place.parent);
    for (const row of element.children) {
      if (typeof row === 'string') continue;
      const [name, value] = row.children.filter((node): node is Element => typeof node !== 'string');
      if (!name || !value) continue;
      const li = this.#element('LI', list);
      this.#makeRoom(place.look.size * LEADING * 2);
      this.#applySpace();
      const top = this.#y;
      this.#paragraph(
        this.#atoms(name.children, { ...place.look, color: 'soft' }),
        { ...place, parent: li, width: NAMES - 12 },
        'Lbl',
      );
      this.#y = top;
      this.#space = 0;
      const body = this.#element('LBody', li);
      this.#flow(value.children, { ...place, parent: body, x: place.x + NAMES, width: place.width - NAMES });
      body.end();
      li.end();
      this.#space = Math.max(this.#space, 2);
    }
    list.end();
  }

  /** The opinion of a verdict as the page draws it: rectangles of which the text is told. */
  #bar(element: Element, place: Place): void {
    const height = Number(/\S+$/.exec(element.attributes['viewBox'] ?? '')?.[0] ?? 12) * BAR_UNIT;
    this.#makeRoom(height + 20);
    this.#applySpace();
    const top = this.#y;
    const unit = place.width / 100;
    const about = {
      alt: element.attributes['aria-label'] ?? '',
      bbox: [place.x, top, place.x + place.width, top + height],
    };
    const figure = this.#doc.struct('Figure', about);
    place.parent.add(figure);
    figure.add(() => {
      for (const node of element.children) {
        if (typeof node === 'string') continue;
        const number = (name: string) => Number(node.attributes[name] ?? 0);
        if (node.tag === 'rect') {
          const color = BAR_COLORS[node.attributes['class'] ?? ''] ?? COLORS.line;
          this.#doc.rect(place.x + number('x') * unit, top, number('width') * unit, height).fill(color);
        } else if (node.tag === 'line')
          this.#doc.rect(place.x + number('x1') * unit - 0.6, top - 1.5, 1.2, height + 3).fill(COLORS.ink);
      }
    });
    figure.end();
    this.#y = top + height;
    this.#space = 3;
  }

  /** A line with something at its start, in its middle and at its end. */
  #ends(element: Element, place: Place): void {
    const parts = element.children.filter((node): node is Element => typeof node !== 'string');
    const paragraph = this.#element('P', place.parent);
    this.#makeRoom(place.look.size * LEADING);
    this.#applySpace();
    paragraph.add(() => {
      for (const [index, part] of parts.entries()) {
        const look = inlineOf(part, place.look);
        // A space parts the three for those who are read to.
        const text = `${this.#shown(plain(textIn(part)))}${index < parts.length - 1 ? ' ' : ''}`;
        const room = place.width - this.#widthOf(text.trimEnd(), look);
        this.#draw(text, place.x + (room * index) / Math.max(1, parts.length - 1), this.#y, look);
      }
    });
    paragraph.end();
    this.#y += place.look.size * LEADING;
  }

  #element(type: string, parent: Structure): Structure {
    const element = this.#doc.struct(type);
    parent.add(element);
    return element;
  }

  /** Sets words in lines, from page to page. */
  #paragraph(atoms: readonly (Atom | ' ')[], place: Place, tag: string): void {
    const lines = linesOf(atoms, place, (text, look) => this.#widthOf(text, look));
    if (lines.length === 0) return;
    const leading = place.look.size * LEADING;
    // No first line alone at the end of a page.
    this.#makeRoom(leading * Math.min(2, lines.length));
    this.#applySpace();
    const paragraph = this.#element(tag, place.parent);
    const owners = new Map<object, Structure>();
    let owner: object | null = null;
    let drawn: (() => void)[] = [];
    const flush = () => {
      const now = drawn;
      drawn = [];
      if (now.length > 0)
        (owner === null ? paragraph : owners.get(owner)!).add(() => {
          for (const draw of now) draw();
        });
    };
    for (const line of lines) {
      if (this.#y + leading > BOTTOM + 0.01) {
        flush();
        this.#newPage();
      }
      for (const segment of line) {
        if (owner !== segment.owner) {
          flush();
          owner = segment.owner;
          if (owner !== null && !owners.has(owner)) {
            const { look, named } = segment;
            const part =
              named === null
                ? this.#doc.struct('Link', { alt: look.link! })
                : this.#doc.struct('Span', { actual: named });
            owners.set(owner, part);
            paragraph.add(part);
          }
        }
        const top = this.#y;
        drawn.push(() => this.#draw(segment.text, segment.x, top, segment.look));
      }
      this.#y += leading;
    }
    flush();
    for (const part of owners.values()) part.end();
    paragraph.end();
  }

  /** Words in their looks, as inline elements give them; `joined` stands between those elements. */
  #atoms(
    nodes: readonly Node[],
    look: Look,
    { joined, isOfUser = false }: { joined?: string; isOfUser?: boolean } = {},
  ): (Atom | ' ')[] {
    const atoms: (Atom | ' ')[] = [];
    const visit = (node: Node, own: Look, owner: object | null, isOfUser = false): void => {
      if (typeof node === 'string') {
        for (const piece of piecesOf(this.#line(node, isOfUser), this.#has[own.font])) {
          this.#isNamed ||= piece.named !== null;
          const part = piece.named === null ? owner : {};
          for (const [text] of piece.drawn.matchAll(/[ \t\n\r]+|[^ \t\n\r]+/g))
            atoms.push(/^[ \t\n\r]/.test(text) ? ' ' : { text, look: own, named: piece.named, owner: part });
        }
        return;
      }
      if (isLeftOut(node)) return;
      const inner = inlineOf(node, own);
      const link = node.tag === 'a' ? this.#frame.addressOf(node.attributes['href'] ?? '') : null;
      const linked = link === null ? inner : { ...inner, link };
      const part = link === null ? owner : {};
      if (isApart(node)) atoms.push(' ');
      if (node.tag === 'q') visit('“', linked, part);
      spread(node.children, blockOf(node).joined, (child) =>
        visit(child, linked, part, isOfUser || 'dir' in node.attributes),
      );
      if (node.tag === 'q') visit('”', linked, part);
      if (node.tag === 'br') atoms.push(' ');
    };
    const spread = (list: readonly Node[], between: string | undefined, each: (node: Node) => void) => {
      const shown = list.filter((node) => typeof node === 'string' || !isLeftOut(node));
      for (const [index, node] of shown.entries()) {
        if (between !== undefined && index > 0) visit(between, { ...look, color: 'soft' }, null);
        each(node);
      }
    };
    spread(nodes, joined, (node) => visit(node, look, null, isOfUser));
    return atoms;
  }

  /**
   * Text as it is drawn: in one line, composed, without controls; what users wrote no longer than it may be.
   */
  #line(text: string, isOfUser: boolean): string {
    const [before, after] = [/^\s/.test(text), /\s$/.test(text)].map((is) => (is ? ' ' : ''));
    const line = plain(text).normalize('NFC');
    const cut = isOfUser ? shortened(line, this.#frame.textMax) : line;
    this.#isCut ||= cut !== line;
    return line === '' ? before! : `${before}${cut}${after}`;
  }

  #shown(text: string): string {
    return piecesOf(text, this.#has.regular)
      .map(({ drawn }) => drawn)
      .join('');
  }

  #draw(text: string, x: number, top: number, { font, size, color, link }: Look): void {
    this.#doc.font(font).fontSize(size).fillColor(COLORS[color]);
    this.#doc.text(text, x, top + size * 1.06, {
      lineBreak: false,
      baseline: 'alphabetic',
      ...(link !== undefined && { link }),
    });
  }

  /** Words come back many times, and shaping one takes longer than all else. */
  #widthOf(text: string, { font, size }: Look): number {
    const known = this.#widths[font];
    let width = known.get(text);
    if (width === undefined) {
      width = this.#doc.font(font).fontSize(1).widthOfString(text);
      known.set(text, width);
    }
    return width * size;
  }

  #makeRoom(height: number): void {
    if (this.#y > PAGE.top && this.#y + this.#space + height > BOTTOM) this.#newPage();
  }

  #applySpace(): void {
    if (this.#y > PAGE.top) this.#y += this.#space;
    this.#space = 0;
  }

  #newPage(): void {
    this.#doc.addPage();
    this.#y = PAGE.top;
    this.#space = 0;
  }

  #footer(page: number, pages: number): void {
    this.#doc.switchToPage(page);
    this.#doc.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
    const look: Look = { ...PLAIN, size: SIZES.small, color: 'soft' };
    const top = PAGE.height - PAGE.bottom + 30;
    const number = `${page + 1} of ${pages}`;
    const title = shortened(this.#shown(plain(this.#frame.title)), FOOTER_TITLE_LENGTH);
    this.#doc
      .moveTo(PAGE.side, top - 8)
      .lineTo(PAGE.width - PAGE.side, top - 8)
      .lineWidth(0.5);
    this.#doc.stroke(COLORS.line);
    this.#draw(title, PAGE.side, top, look);
    this.#draw(number, PAGE.width - PAGE.side - this.#widthOf(number, look), top, look);
    this.#doc.endMarkedContent();
  }
}

interface Coverage {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

const BAR_COLORS: Readonly<Record<string, string>> = {
  'bar-uncertainty': COLORS.uncertainty,
  'bar-support': COLORS.for,
  'bar-opposition': COLORS.against,
};

/** What stands in front of an item, and the item without it: a number, or the weight that leads a reason. */
function labelOf(item: Element, number: string | null): [label: Node | null, rest: readonly Node[]] {
  const [first, ...rest] = item.children;
  if (typeof first === 'object' && first.attributes['class'] === 'reason-size') return [first, rest];
  return [item.attributes['value'] === undefined ? number : `${item.attributes['value']}.`, item.children];
}
