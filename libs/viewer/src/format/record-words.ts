import { counted } from './numbers.ts';

/** How often outcomes found a source right. */
export const recordWords = ({ right, statements }: { readonly right: number; readonly statements: number }) =>
  `by its record: right in ${right} of ${counted(statements, 'statement')}`;
