/** What the fields of operations hold; the others are empty. */
export const givenOf = (domain: string): Readonly<Record<string, unknown>> => ({
  domain,
  subject: 'bob',
  action: 'read',
  object: 'docs/plan',
  text: 'policies: []\n',
  version: '1',
  attributes: [],
  refused: false,
  leave: false,
});
