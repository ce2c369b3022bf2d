import type { Filter } from '@platform/authz-client';
import { quotedText } from '@platform/decide/quoted-text';
import { visible } from './output.ts';

type FilterMatch = Extract<Filter, { kind: 'match' }>;

/** As a plan of policies says them. */
const VERBS: Readonly<Record<FilterMatch['test'], string>> = {
  equals: 'is',
  starts_with: 'begins with',
  ends_with: 'ends with',
  contains: 'contains',
  glob: 'is like',
  regex: 'matches',
};

/** The condition of a plan in words, as one line for a terminal. */
export function wordsOfFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'constant':
      return filter.value ? 'always' : 'never';
    case 'all':
    case 'any':
      return `(${filter.of.map(wordsOfFilter).join(filter.kind === 'all' ? ' and ' : ' or ')})`;
    case 'not':
      return `not ${wordsOfFilter(filter.of)}`;
    case 'single':
      return `${visible(quotedText(filter.key))} is one text`;
    case 'match':
      return `${visible(quotedText(filter.key))} ${VERBS[filter.test]} ${wordsOfParts(filter.parts)}`;
    case 'compared':
      return `"${visible(within(filter.text))}" ${VERBS[filter.test]} ${wordsOfParts(filter.parts)}`;
  }
}

function wordsOfParts(parts: FilterMatch['parts']): string {
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object') return `the value of ${visible(first.attribute)}`;
  const text = parts
    .map((part) => (typeof part === 'string' ? within(part) : `\${${part.attribute}}`))
    .join('');
  return `"${visible(text)}"`;
}

/** A text within quotes, as in JSON where it could be taken for their end or for an attribute's value. */
function within(text: string): string {
  if (!/"|\$\{|\\u/.test(text)) return text;
  return JSON.stringify(text).slice(1, -1).replaceAll('${', '\\u0024{');
}
