import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { DocumentReference, FindQuote, ListDocuments } from './quote-schema.ts';

it.each([
  ['name_filter', ListDocuments, 'a\0b', 'must not contain the character U+0000'],
  ['document', DocumentReference, 'file\0', 'must not contain the character U+0000'],
  ['document', FindQuote, '\ud800', 'must be well-formed Unicode: it holds a lone surrogate'],
])('a %s that no database and no URL can carry is refused by name', (field, schema, text, problem) => {
  covers('INV-Q.85');
  const { error } = schema.safeParse({ exact: 'words', [field]: text });
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([[[field], problem]]);
});
