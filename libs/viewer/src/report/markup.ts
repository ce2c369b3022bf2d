/** An element of a page that was rendered to text. */
export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}
export type Node = Element | string;

const TAG = /<(\/?)([a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>/gi;
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)")?/g;
const VOID = new Set(['br', 'hr', 'img', 'input', 'link', 'meta']);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/**
 * The tree of what preact-render-to-string wrote, which closes every element, quotes every attribute and
 * encodes `&`, `<` and `"`. For no other markup. Pure.
 */
export function treeOf(markup: string): Element {
  const open: { tag: string; attributes: Record<string, string>; children: Node[] }[] = [
    { tag: 'div', attributes: {}, children: [] },
  ];
  let end = 0;
  const text = (upTo: number) => {
    if (upTo > end) open.at(-1)!.children.push(decoded(markup.slice(end, upTo)));
  };
  for (const match of markup.matchAll(TAG)) {
    const [whole, slash, tag, attributes] = match as unknown as [string, string, string, string];
    text(match.index);
    end = match.index + whole.length;
    if (slash) {
      open.pop();
      continue;
    }
    const element = { tag, attributes: attributesOf(attributes), children: [] };
    open.at(-1)!.children.push(element);
    if (match[4] !== '/' && !VOID.has(tag)) open.push(element);
  }
  text(markup.length);
  return open[0]!;
}

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(ATTRIBUTE)].map(([, name, value]) => [name!, decoded(value ?? '')]));

const decoded = (text: string) =>
  text.replace(/&(amp|lt|gt|quot);/g, (_whole, name: string) => ENTITIES[name]!);

/** The text of a node and everything in it. */
export const textIn = (node: Node): string =>
  typeof node === 'string' ? node : node.children.map(textIn).join('');
