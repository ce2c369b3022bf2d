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

/** One value of a statement of Wikidata. */
export const snak = (property: string, value: unknown, datatype = 'string') => ({
  snaktype: 'value',
  property,
  datatype,
  datavalue: { type: datatype, value },
});
/** A date of Wikidata in a calendar, as exact as `precision` says. */
export const time = (text: string, precision: number, calendar: 'Q1985727' | 'Q1985786' = 'Q1985727') => ({
  time: text,
  precision,
  calendarmodel: `http://www.wikidata.org/entity/${calendar}`,
});

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

const stixId = (type: string, n: number) => `${type}--00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const stixObject = (type: string, n: number, more: object) => ({
  type,
  spec_version: '2.1',
  id: stixId(type, n),
  created: '2025-03-01T00:00:00.000Z',
  modified: '2025-03-02T00:00:00.000Z',
  created_by_ref: stixId('identity', 1),
  ...more,
});

/** A bundle of STIX 2.1 as platforms of threat intelligence exchange it. */
export const BUNDLE = {
  type: 'bundle',
  id: stixId('bundle', 1),
  objects: [
    // Before what it is on.
    stixObject('opinion', 1, {
      created_by_ref: stixId('identity', 2),
      opinion: 'strongly-disagree',
      explanation: 'The code is older than the group.',
      object_refs: [stixId('relationship', 1)],
    }),
    {
      ...stixObject('identity', 1, { name: 'Example CERT', identity_class: 'organization' }),
      labels: ['tlp:green', 'admiralty-scale:source-reliability="b"'],
    },
    stixObject('identity', 2, { name: 'Second Lab', x_opencti_reliability: 'D - Not usually reliable' }),
    stixObject('malware', 1, { name: 'Greybox', is_family: true }),
    stixObject('threat-actor', 1, { name: 'Quiet Crow' }),
    stixObject('relationship', 1, {
      relationship_type: 'attributed-to',
      source_ref: stixId('malware', 1),
      target_ref: stixId('threat-actor', 1),
      confidence: 85,
      external_references: [
        { source_name: 'blog', url: 'https://example.org/greybox' },
        { source_name: 'advisory', external_id: 'EX-2025-7', url: 'https://example.org/ex-2025-7' },
      ],
    }),
    stixObject('indicator', 1, {
      created_by_ref: stixId('identity', 2),
      pattern: "[ipv4-addr:value = '198.51.100.7']",
      pattern_type: 'stix',
      valid_from: '2025-02-01T00:00:00.000Z',
      indicator_types: ['malicious-activity'],
      labels: ['admiralty-scale:information-credibility="4"'],
    }),
    stixObject('note', 1, {
      content: 'The attack came over a supplier.',
      authors: ['Ann'],
      object_refs: [stixId('malware', 1)],
      labels: ['admiralty-scale:information-credibility="6"'],
    }),
    stixObject('observed-data', 1, {
      first_observed: '2025-02-03T00:00:00.000Z',
      last_observed: '2025-02-03T00:00:00.000Z',
      number_observed: 1,
      object_refs: [stixId('ipv4-addr', 1)],
      revoked: true,
    }),
    { type: 'ipv4-addr', spec_version: '2.1', id: stixId('ipv4-addr', 1), value: '198.51.100.7' },
  ],
};

const tags = (...names: string[]) => names.map((name) => ({ name }));

/** An event of MISP as its REST API gives it. */
export const EVENT = {
  Event: {
    uuid: '00000000-0000-4000-8000-00000000000a',
    info: 'Attack over a supplier',
    date: '2025-03-01',
    Orgc: { name: 'Example CERT', uuid: '00000000-0000-4000-8000-00000000000b' },
    Tag: tags(
      'tlp:green',
      'admiralty-scale:source-reliability="b"',
      'admiralty-scale:information-credibility="2"',
    ),
    Attribute: [
      {
        uuid: '00000000-0000-4000-8000-00000000000c',
        type: 'ip-dst',
        category: 'Network activity',
        value: '198.51.100.7',
        comment: 'command and control',
        timestamp: '1740787200',
        first_seen: '2025-02-01T00:00:00+00:00',
        Tag: tags('admiralty-scale:information-credibility="5"'),
      },
      { type: 'text', category: 'Other', value: 'The attack came over a supplier.', timestamp: '1740787200' },
      {
        type: 'domain',
        category: 'Network activity',
        value: 'bad.example.org',
        Tag: tags(
          'admiralty-scale:information-credibility="6"',
          'estimative-language:likelihood-probability="likely"',
        ),
      },
      { type: 'link', category: 'External analysis', value: 'https://example.org/greybox' },
    ],
    Object: [
      {
        name: 'file',
        Attribute: [
          {
            type: 'filename',
            category: 'Payload delivery',
            value: 'invoice.exe',
            deleted: true,
            Tag: tags('estimative-language:likelihood-probability="very-likely"'),
          },
        ],
      },
    ],
  },
};
