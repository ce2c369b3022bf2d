import * as XLSX from '@e965/xlsx';
import { isWebAddress } from '@platform/opinion-fusion';
import type { Sheet } from '@platform/workbench/claims';
import type { LeftOutList } from './imported.ts';

/** Links of a sheet that are read, which is what Excel allows it. */
const LINKS_MAX = 65_530;
/** Cells of a sheet whose links, where they are not read, are named one by one, and their characters. */
const NAMED_MAX = 20;
const ADDRESS_LENGTH = 200;

/** Columns that hold the address itself. */
const ADDRESSES = ['url', 'archived_url'];
/** Columns whose cells may have the link of the claim, the likeliest first. */
const LINKED = ['content', 'quote', 'value', 'published_by', 'actor_id'];

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

/** A text of XML that was decoded as Latin-1. */
const xmlText = (latin1: string) =>
  Buffer.from(latin1, 'latin1')
    .toString('utf8')
    .replace(/&(quot|apos|lt|gt|amp);/g, (_, name: string) => ENTITIES[name]!);

const attribute = (tag: string, name: string) =>
  new RegExp(`\\s(?:\\w+:)?${name}=(?:"([^"]*)"|'([^']*)')`)
    .exec(tag)
    ?.slice(1)
    .find((value) => value !== undefined);

/**
 * The addresses to which cells of a sheet link, by their places such as `B2`: hyperlinks, also over several
 * cells, and formulas HYPERLINK of a text. Both parts are XML decoded as Latin-1; `relations` names the
 * targets of the sheet. Source: ECMA-376 Part 1, 18.3.1.47.
 */
export function linksOf(sheet: string, relations: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [, at, formula] of sheet.matchAll(
    /<(?:\w+:)?c\s[^<>]{0,300}?\br=["']([A-Z]{1,3}\d+)["'][^<>]{0,300}>\s*<(?:\w+:)?f(?:\s[^<>]*)?>([^<]*)/g,
  )) {
    const address = /^HYPERLINK\("((?:[^"]|"")*)"/i.exec(xmlText(formula!))?.[1];
    if (address && links.size < LINKS_MAX) links.set(at!, address.replaceAll('""', '"'));
  }
  const hyperlinks = [...sheet.matchAll(/<(?:\w+:)?hyperlink\s[^<>]*>/g)].slice(0, LINKS_MAX);
  if (hyperlinks.length === 0) return links;
  const targets = new Map(
    [...relations.matchAll(/<(?:\w+:)?Relationship\s[^<>]*>/g)].map(([tag]) => [
      attribute(tag, 'Id'),
      attribute(tag, 'Target') ?? '',
    ]),
  );
  for (const [tag] of hyperlinks) {
    const [ref, id] = [attribute(tag, 'ref') ?? '', attribute(tag, 'id')];
    if (!/^[A-Z]{1,3}\d{1,7}(:[A-Z]{1,3}\d{1,7})?$/.test(ref)) continue;
    const location = attribute(tag, 'location');
    const target = id === undefined ? '' : (targets.get(id) ?? '');
    const address = xmlText(target + (location === undefined ? '' : `#${location}`));
    const { s: start, e: end } = XLSX.utils.decode_range(ref);
    for (let r = start.r; r <= end.r; r += 1)
      for (let c = start.c; c <= end.c; c += 1) {
        if (links.size >= LINKS_MAX) return links;
        links.set(XLSX.utils.encode_cell({ r, c }), address);
      }
  }
  return links;
}

/** An address as people write it, whole. */
const isWhole = (text: string) => /^(?:https?:\/\/|www\.)\S+$/i.test(text) && !/(?:\.\.\.|…)$/.test(text);
const bare = (address: string) =>
  address
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();

/**
 * A sheet with the addresses to which its cells link: in a column of addresses in place of other words, else
 * as the link of a claim that has none. Names in `leftOut` the words of such a column and links that are not
 * read.
 */
export function withLinks(
  sheet: Sheet,
  mapping: readonly (string | null)[],
  links: ReadonlyMap<string, string>,
  { place, leftOut }: { readonly place: string; readonly leftOut: LeftOutList },
): Sheet {
  const { columns, rows } = sheet;
  const given = mapping.indexOf('url');
  const at = given < 0 ? columns.length : given;
  const words = new Map<number, { readonly first: string; more: number }>();
  const unread: { readonly cell: string; readonly address: string }[] = [];
  const linkedRows = rows.map(({ line, cells: shown }) => {
    const cells = [...shown];
    if (given < 0) {
      while (cells.length < at) cells.push('');
      cells.splice(at, 0, '');
    }
    const linked = shown.flatMap((text, column) => {
      const cell = XLSX.utils.encode_cell({ r: line - 1, c: column });
      const address = links.get(cell);
      return address === undefined ? [] : [{ cell, column, text: text.trim(), address }];
    });
    for (const { column, text, address } of linked) {
      if (!ADDRESSES.includes(mapping[column] ?? '') || !isWebAddress(address) || isWhole(text)) continue;
      cells[column] = address;
      if (text === '' || bare(text) === bare(address)) continue;
      const seen = words.get(column);
      if (seen !== undefined) seen.more += 1;
      else words.set(column, { first: `${JSON.stringify(text.slice(0, 80))} in row ${line}`, more: 0 });
    }
    if (cells[at]!.trim() === '') {
      const ofClaim = LINKED.flatMap((field) =>
        linked.filter(
          ({ column, text, address }) => mapping[column] === field && text !== '' && isWebAddress(address),
        ),
      );
      cells[at] = ofClaim[0]?.address ?? '';
    }
    for (const { cell, column, text, address } of linked) {
      const isOwn = ADDRESSES.includes(mapping[column] ?? '') && cells[column] === address;
      const isShown = text === '' || bare(address).includes(bare(text));
      if (!isOwn && !(isShown && (isWhole(text) || !isWebAddress(address))) && cells[at] !== address)
        unread.push({ cell, address });
    }
    return { line, cells };
  });
  for (const [column, { first, more }] of words)
    leftOut.add(
      `${place}, column ${columns[column]}`,
      `shows other words than the address that it links to, which was read: ${first}${more > 0 ? ` and ${more} more` : ''}`,
    );
  for (const { cell, address } of unread.slice(0, NAMED_MAX))
    leftOut.add(`${place}, cell ${cell}`, `has a link that is not read: ${address.slice(0, ADDRESS_LENGTH)}`);
  if (unread.length > NAMED_MAX)
    leftOut.add(place, `has ${unread.length - NAMED_MAX} more links on cells that are not read`);
  return given < 0 && linkedRows.some(({ cells }) => cells[at] !== '')
    ? { ...sheet, columns: [...columns, 'url'], rows: linkedRows }
    : { ...sheet, rows: given < 0 ? rows : linkedRows };
}
