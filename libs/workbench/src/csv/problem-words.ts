import { OBJECTS } from '@platform/opinion-fusion';
import type { Problem } from '../api/problems.ts';
import { hasShortYear } from './read-dates.ts';
import { valenceAdvice } from './valence-words.ts';

const NOT_A_DATE = 'is not a date: write it as 2025-05-31 or 31 May 2025';
const NUMBER =
  'is not a date: write it as 2025-05-31, or, where a spreadsheet shows a number for a date, format the column as a date';
const SHORT_YEAR = 'could be of 1925 or of 2025, say: write the year with four digits';

/** What is wrong with a text that is not read as a date, after the text. Pure. */
export function dateProblem(text: string): string {
  if (hasShortYear(text)) return SHORT_YEAR;
  return /^\d+(\.\d+)?$/.test(text.trim()) ? NUMBER : NOT_A_DATE;
}

/** What is wrong with the cell of a claim, as an analyst says it, after the text of the cell. Pure. */
export function cellProblem({ path, message }: Problem): string {
  const field = OBJECTS.ClaimInput[path];
  if (/^is (required|needed)/.test(message))
    return path === 'subject_id' ? 'is empty: say what the claim is about' : 'is empty: every claim needs it';
  if (field === undefined || !message.includes('not ')) return message;
  if (path === 'valence') return valenceAdvice(true);
  switch (field.kind) {
    case 'url':
      return 'is not a link: write it as https://example.org/page';
    case 'word':
      return `is none of ${field.values!.join(', ')}`;
    case 'timestamp':
    case 'moment':
      return NOT_A_DATE;
    case 'number':
      return 'is not a number';
    case 'count':
      return 'is not a whole number';
    default:
      return message;
  }
}

/** A host with something that only addresses have: `www.` in front, or a path behind. */
const HOST =
  /^(?:www\.[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?:[/?#]\S*)?|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?::\d+)?\/\S*)$/u;

/** A link as people copy it without its scheme, such as `www.example.org/8`, with `https://`. Pure. */
export function withScheme(text: string): string {
  if (text.startsWith('//')) return `https:${text}`;
  return HOST.test(text) ? `https://${text}` : text;
}
