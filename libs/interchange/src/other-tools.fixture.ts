/** An annotation as the API of Hypothesis gives it. */
export const ANNOTATION = {
  id: 'a1',
  user: 'acct:ann@hypothes.is',
  uri: 'https://example.org/minutes',
  text: 'The minutes of 1731 say the same.',
  tags: ['Supports'],
  document: { title: ['Town minutes'] },
  target: [
    {
      source: 'https://example.org/minutes',
      selector: [
        { type: 'RangeSelector' },
        { type: 'TextPositionSelector', start: 4, end: 21 },
        { type: 'TextQuoteSelector', exact: 'the bridge is open', prefix: 'Now ', suffix: '.' },
      ],
    },
  ],
  links: { html: 'https://hypothes.is/a/a1' },
};

const snak = (property: string, value: unknown, datatype = 'string') => ({
  snaktype: 'value',
  property,
  datatype,
  datavalue: { type: datatype, value },
});
const time = (text: string, precision: number) => ({ time: text, precision, calendarmodel: 'x' });

/** Two entities as `Special:EntityData` of Wikidata gives them. */
export const ENTITY = {
  entities: {
    Q1: {
      id: 'Q1',
      type: 'item',
      labels: { en: { language: 'en', value: 'Old Bridge' } },
      claims: {
        P571: [
          {
            id: 'Q1$a',
            rank: 'preferred',
            mainsnak: snak('P571', time('+1731-00-00T00:00:00Z', 9), 'time'),
            references: [
              {
                snaks: {
                  P248: [snak('P248', { id: 'Q2' }, 'wikibase-item')],
                  P577: [snak('P577', time('+2001-02-03T00:00:00Z', 11))],
                },
              },
              { snaks: { P854: [snak('P854', 'https://archive.example.org/b')] } },
            ],
          },
          {
            id: 'Q1$b',
            rank: 'deprecated',
            mainsnak: snak('P571', time('+1850-00-00T00:00:00Z', 9), 'time'),
          },
          { id: 'Q1$c', rank: 'normal', mainsnak: { snaktype: 'somevalue', property: 'P571' } },
        ],
        P2043: [
          {
            id: 'Q1$d',
            rank: 'normal',
            mainsnak: snak(
              'P2043',
              { amount: '+120.5', unit: 'http://www.wikidata.org/entity/Q11573' },
              'quantity',
            ),
            qualifiers: {
              P580: [snak('P580', time('+1900-05-00T00:00:00Z', 10))],
              P518: [snak('P518', 'main span')],
            },
          },
        ],
        P214: [{ id: 'Q1$e', rank: 'normal', mainsnak: snak('P214', '12345', 'external-id') }],
      },
    },
    Q2: { id: 'Q2', labels: { de: { language: 'de', value: 'Stadtchronik' } }, claims: {} },
  },
};
