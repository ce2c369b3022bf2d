import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { gradeEvidence } from '../admiralty/grades.ts';
import { UnreadableFile } from '../imported.ts';
import { BRIDGE, judge, jsonBytes } from '../judged.fixture.ts';
import { EVENT } from '../other-tools.fixture.ts';
import { readMisp } from './read-misp.ts';
import { writeMisp } from './write-misp.ts';

interface Attribute {
  readonly uuid: string;
  readonly type: string;
  readonly value: string;
  readonly comment: string;
  readonly Tag?: readonly { readonly name: string }[];
}
const eventOf = (file: Uint8Array) =>
  (JSON.parse(new TextDecoder().decode(file)) as { Event: { Attribute: Attribute[] } }).Event;

const GRADED = {
  ...BRIDGE,
  actors: BRIDGE.actors.map((actor, index) => ({ ...actor, base_reliability: [0.9, 0.3][index]! })),
  evidence: [...BRIDGE.evidence!, gradeEvidence('record', 70), gradeEvidence('post', 10)],
};

describe('MISP events of others', () => {
  it('a text attribute that is a question is left out by name', () => {
    covers('INV-IMPORT.76');
    const Attribute = ['Who is APT-X?', 'APT-X is a contractor.'].map((value) => ({ type: 'text', value }));
    const { payload, leftOut } = readMisp(jsonBytes({ Event: { info: 'APT-X', Attribute } }));
    expect(payload.subjects.map(({ name }) => name)).toEqual(['APT-X is a contractor.']);
    expect(leftOut).toEqual([
      { path: 'Event.Attribute[0]', reason: expect.stringMatching(/^is a question/) },
    ]);
  });

  it('attributes become claims of the organization, with the nearest tags as grades', () => {
    covers('INV-IMPORT.12', 'INV-GRADE.1', 'INV-GRADE.2');
    const { payload, leftOut } = readMisp(jsonBytes({ response: [EVENT] }));
    expect(payload.actors).toMatchObject([{ name: 'Example CERT', base_reliability: 0.7 }]);
    const subjects = new Map(payload.subjects.map(({ id, name }) => [id, name]));
    const grades = new Map(
      payload.evidence!.map(({ claim_id, valence, weight }) => [claim_id, [valence, weight]]),
    );
    expect(
      payload.claims.map(({ id, subject_id, predicate, epistemic_status }) => [
        subjects.get(subject_id!),
        predicate,
        epistemic_status,
        grades.get(id),
      ]),
    ).toEqual([
      ['198.51.100.7', 'Network activity', undefined, ['Refutes', 0.8]],
      ['The attack came over a supplier.', 'is_true', undefined, ['Supports', 0.4]],
      // 6: cannot be judged, whatever the event and another scale say.
      ['bad.example.org', 'Network activity', undefined, undefined],
      ['invoice.exe', 'Payload delivery', 'retracted', ['Supports', 0.76]],
    ]);
    expect(payload.claims[0]).toMatchObject({
      assertion_time: '2025-03-01T00:00:00.000Z',
      event_start_time: '2025-02-01T00:00:00+00:00',
    });
    expect(leftOut.slice(0, 2).map(({ path }) => path)).toEqual([
      'response[0].Event.Attribute[2].Tag',
      'response[0].Event.Attribute[3]',
    ]);
  });

  it('an attribute without a time has that of its object, else the date of the event', () => {
    covers('INV-IMPORT.12');
    const [dated, undated] = [{ timestamp: '1740787200' }, { timestamp: '0' }];
    const event = (more: object, Attribute: object[], Object: object[] = []) =>
      readMisp(
        jsonBytes({ Event: { date: '2025-03-05', Orgc: { name: 'CERT' }, ...more, Attribute, Object } }),
      );
    const attribute = (value: string, more: object = {}) => ({ type: 'domain', value, ...more });
    const mixed = event(
      {},
      [attribute('a', dated), attribute('b'), attribute('c', undated)],
      [
        { name: 'file', ...dated, Attribute: [attribute('d')] },
        { name: 'file', Attribute: [attribute('e')] },
      ],
    );
    expect(mixed.payload.claims.map(({ assertion_time }) => assertion_time)).toEqual([
      '2025-03-01T00:00:00.000Z',
      '2025-03-05',
      '2025-03-05',
      '2025-03-01T00:00:00.000Z',
      '2025-03-05',
    ]);
    expect(mixed.leftOut).toEqual([]);
    expect(event({}, [attribute('a', dated)]).leftOut).toEqual([
      { path: 'Event.date', reason: 'is not read: each attribute has a time of its own' },
    ]);
    expect(event({ date: '2025-02-31' }, [attribute('a')]).leftOut).toEqual([
      { path: 'Event.Attribute[0]: assertion_time', reason: expect.any(String) },
    ]);
  });

  it('two attributes with the same value and no uuid are two claims, and the same ones when they come again', () => {
    covers('INV-IMPORT.25');
    const grade = (digit: number) => [{ name: `admiralty-scale:information-credibility="${digit}"` }];
    const attribute = (comment: string, digit: number) => ({
      type: 'domain',
      value: 'x',
      comment,
      Tag: grade(digit),
    });
    const eventOfOne = (one: object) => ({ Event: { Orgc: { name: 'CERT' }, Attribute: [one] } });
    const [first, second] = [attribute('seen in May', 2), attribute('seen in June', 5)];
    const file = jsonBytes({ response: [eventOfOne(first), eventOfOne(second), eventOfOne(first)] });
    const { payload, leftOut } = readMisp(file);
    expect(leftOut).toEqual([]);
    expect(payload.claims.map(({ content }) => content)).toEqual(['seen in May: x', 'seen in June: x']);
    expect(new Set(payload.evidence!.map(({ claim_id }) => claim_id)).size).toBe(2);
    expect(readMisp(file).payload).toEqual(payload);
    const uuid = 'c99506a6-1255-4b71-afa5-7b8ba48c3b1b';
    const same = eventOfOne({ ...first, uuid });
    expect(readMisp(jsonBytes([same, eventOfOne({ ...second, uuid })])).leftOut).toContainEqual({
      path: '[1].Event.Attribute[0]',
      reason: 'is the same claim as [0].Event.Attribute[0], whose content stands',
    });
  });

  it.each(['abc', -5, 1740787200000, '2025-03-01T00:00:00Z', { toString: 1 }])(
    'the time %j of an attribute or object of MISP, which cannot be read, is named',
    (timestamp) => {
      covers('INV-IMPORT.12');
      const Attribute = [{ type: 'domain', value: 'x', timestamp }];
      const Object = [{ name: 'file', timestamp, Attribute: [{ type: 'domain', value: 'y' }] }];
      const event = { Event: { date: '2025-03-05', Orgc: { name: 'CERT' }, Attribute, Object } };
      const { payload, leftOut } = readMisp(jsonBytes(event));
      expect(payload.claims.map(({ assertion_time }) => assertion_time)).toEqual([
        '2025-03-05',
        '2025-03-05',
      ]);
      expect(leftOut.map(({ path }) => path)).toEqual([
        'Event.Attribute[0].timestamp',
        'Event.Object[0].timestamp',
      ]);
    },
  );

  it('grades of single attributes leave that of their organization as it is, in whatever order they stand', () => {
    covers('INV-IMPORT.60');
    const tag = (letter: string) => [{ name: `admiralty-scale:source-reliability="${letter}"` }];
    const attribute = (value: string, letter?: string) => ({
      uuid: `00000000-0000-4000-8000-0000000000${value}`,
      type: 'ip-dst',
      value,
      ...(letter !== undefined && { Tag: tag(letter) }),
    });
    const attributes = [attribute('01', 'e'), attribute('02'), attribute('03', 'a'), attribute('04', 'f')];
    const orders = attributes.flatMap((one) =>
      attributes.flatMap((two) =>
        attributes.flatMap((three) => {
          const rest = attributes.filter((other) => ![one, two, three].includes(other));
          return rest.length === 1 ? [[one, two, three, ...rest]] : [];
        }),
      ),
    );
    const gradesIn = (events: object[]) => {
      const { payload, leftOut } = readMisp(jsonBytes(events.map((Event) => ({ Event }))));
      const actors = new Map(payload.actors.map((actor) => [actor.id, actor]));
      for (const { depends_on: repeats = [], name } of payload.actors)
        expect(repeats!.map((id) => actors.get(id)!.name)).toEqual(name === 'CERT' ? [] : ['CERT']);
      const subjects = new Map(payload.subjects.map(({ id, name }) => [id, name]));
      const grades = payload.claims.map(({ actor_id, subject_id }): [string, string, number | null] => {
        const { name, base_reliability: reliability } = actors.get(actor_id)!;
        return [subjects.get(subject_id!)!, name, reliability ?? null];
      });
      expect(leftOut.filter(({ reason }) => !reason.includes('cannot be judged'))).toEqual([]);
      return grades.sort();
    };
    const event = (Tag: object[], Attribute: object[]) => ({ Orgc: { name: 'CERT' }, Tag, Attribute });
    expect(orders).toHaveLength(24);
    for (const order of orders) {
      expect(gradesIn([event(tag('a'), order)])).toEqual([
        ['01', 'CERT (reliability E)', 0.1],
        ['02', 'CERT', 0.9],
        ['03', 'CERT', 0.9],
        ['04', 'CERT (reliability F)', null],
      ]);
      // Events that disagree leave their organization without a grade.
      const events = [event(tag('a'), order), event(tag('c'), [attribute('05')])];
      const apart = [
        ['01', 'CERT (reliability E)', 0.1],
        ['02', 'CERT (reliability A)', 0.9],
        ['03', 'CERT (reliability A)', 0.9],
        ['04', 'CERT (reliability F)', null],
        ['05', 'CERT (reliability C)', 0.5],
      ];
      expect(gradesIn(events)).toEqual(apart);
      expect(gradesIn(events.toReversed())).toEqual(apart);
      expect(gradesIn([event([], order)])).toEqual([
        ['01', 'CERT (reliability E)', 0.1],
        ['02', 'CERT', null],
        ['03', 'CERT (reliability A)', 0.9],
        ['04', 'CERT (reliability F)', null],
      ]);
    }
  });

  it('what lacks its type or value is left out with its field', () => {
    covers('INV-IMPORT.1');
    const Attribute = [
      ...EVENT.Event.Attribute.slice(0, 1),
      { type: 'domain' },
      { value: 'x' },
      3,
      { type: 'domain', value: 'x', Tag: [{ name: 'admiralty-scale:source-reliability="c"' }] },
      { type: 'domain', value: 'y', Tag: [{ name: 'admiralty-scale:information-credibility="9"' }] },
    ];
    expect(
      readMisp(jsonBytes({ Event: { ...EVENT.Event, Object: [], Attribute } })).leftOut.slice(0, 4),
    ).toEqual([
      { path: 'Event.Attribute[1].value', reason: 'is missing: it says what is reported' },
      { path: 'Event.Attribute[2].type', reason: 'is missing: it says what the value is' },
      { path: 'Event.Attribute[3]', reason: 'must be an object' },
      { path: 'Event.Attribute[5].Tag', reason: expect.stringContaining('must be a digit from 1 to 6') },
    ]);
  });

  it('a file without events is refused by name', () => {
    covers('INV-IMPORT.1');
    expect(() => readMisp(jsonBytes({ response: [] }))).toThrow(UnreadableFile);
    expect(() => readMisp(jsonBytes({ Event: { Attribute: [] } }))).toThrow(
      'holds no attribute with a value',
    );
  });
});

describe('MISP events of ours', () => {
  const file = writeMisp(judge(GRADED));

  it('an export tags each claim with its grades and each verdict with its likelihood', () => {
    covers('INV-EXPORT.15', 'INV-GRADE.3');
    const tagged = eventOf(file).Attribute.filter(({ Tag }) => Tag !== undefined);
    expect(tagged.map(({ type, Tag }) => [type, Tag!.map(({ name }) => name)])).toEqual([
      ['comment', [expect.stringMatching(/^estimative-language:likelihood-probability="[a-z-]+"$/)]],
      ['text', ['admiralty-scale:source-reliability="a"', 'admiralty-scale:information-credibility="2"']],
      ['text', ['admiralty-scale:source-reliability="d"', 'admiralty-scale:information-credibility="5"']],
      ['text', ['admiralty-scale:source-reliability="a"']],
    ]);
    expect(new Set(eventOf(file).Attribute.map(({ uuid }) => uuid)).size).toBe(
      eventOf(file).Attribute.length,
    );
  });

  it('an export of an investigation without a question has the name of the session as its info', () => {
    covers('INV-EXPORT.15');
    const judged = judge({ ...GRADED, research_question: '' });
    expect(eventOf(writeMisp(judged))).toMatchObject({ info: judged.session_name });
  });

  it('an export that comes back gives the same investigation, and grades changed by another tool are taken over', () => {
    covers('INV-GRADE.3');
    expect(readMisp(file)).toMatchObject({ payload: GRADED, leftOut: [], leftOutTotal: 0 });
    const event = eventOf(file);
    const changed = event.Attribute.map((attribute) =>
      attribute.value.startsWith('A blog')
        ? {
            ...attribute,
            Tag: [
              { name: 'admiralty-scale:source-reliability="c"' },
              { name: 'admiralty-scale:information-credibility="6"' },
            ],
          }
        : attribute,
    );
    const { payload } = readMisp(jsonBytes({ Event: { ...event, Attribute: changed } }));
    expect(payload.actors.map(({ base_reliability }) => base_reliability)).toEqual([0.9, 0.5]);
    expect(payload.evidence!.map(({ claim_id }) => claim_id)).toEqual(['record', 'record']);
  });

  it('a second grade that another tool gave a source is named with that which stands', () => {
    covers('INV-IMPORT.60');
    const event = eventOf(file);
    const letters = ['b', 'c'];
    const Attribute = event.Attribute.map((attribute) =>
      attribute.Tag?.[0]?.name === 'admiralty-scale:source-reliability="a"'
        ? { ...attribute, Tag: [{ name: `admiralty-scale:source-reliability="${letters.shift()}"` }] }
        : attribute,
    );
    const { payload, leftOut } = readMisp(jsonBytes({ Event: { ...event, Attribute } }));
    expect(letters).toEqual([]);
    expect(payload.actors[0]!.base_reliability).toBe(0.7);
    expect(leftOut.map(({ reason }) => reason)).toContainEqual(
      `reliability C: that of ${payload.actors[0]!.name} is B by an earlier attribute, which stands`,
    );
  });

  it('what another tool added or reworded is named, and verdicts never come back as claims', () => {
    covers('INV-IMPORT.1', 'INV-GRADE.4');
    const event = eventOf(file);
    const at = event.Attribute.findIndex(({ type }) => type === 'text');
    const Attribute = event.Attribute.map((one, index) => (index === at ? { ...one, value: 'Else.' } : one));
    const added = { type: 'comment', value: 'Seen by us, too.' };
    expect(readMisp(jsonBytes({ Event: { ...event, Attribute: [...Attribute, added] } })).leftOut).toEqual([
      { path: `Event.Attribute[${at}].value`, reason: expect.stringContaining('changed by another tool') },
      {
        path: `Event.Attribute[${event.Attribute.length}]`,
        reason: expect.stringContaining('added by another'),
      },
    ]);
    const comment = event.Attribute.findIndex(({ value }) => value === 'Supports: The plate on it.');
    const swapped = event.Attribute.map((one, index) =>
      index === comment ? { ...one, value: 'Refutes: it.' } : one,
    );
    expect(readMisp(jsonBytes({ Event: { ...event, Attribute: swapped } })).leftOut).toMatchObject([
      { path: `Event.Attribute[${comment}].value` },
    ]);
    const fewer = event.Attribute.filter((_, index) => index !== at);
    expect(readMisp(jsonBytes({ Event: { ...event, Attribute: fewer } })).leftOut).toEqual([
      { path: event.Attribute[at]!.uuid, reason: expect.stringContaining('removed by another tool') },
    ]);
    const without = event.Attribute.filter(({ type }) => type !== 'attachment');
    const { payload } = readMisp(jsonBytes({ Event: { ...event, Attribute: without } }));
    expect(payload.claims).toHaveLength(GRADED.claims.length);
  });

  it('an export whose attachment another tool dropped keeps the grade of the source of each claim', () => {
    covers('INV-IMPORT.60');
    const event = eventOf(file);
    const Attribute = event.Attribute.filter(({ type }) => type !== 'attachment');
    const { payload } = readMisp(jsonBytes({ Event: { ...event, Attribute } }));
    const gradesOf = ({ actors, claims }: typeof payload) => {
      const grades = new Map(actors.map(({ id, base_reliability: grade }) => [id, grade]));
      return claims.map(({ actor_id }) => grades.get(actor_id));
    };
    expect(gradesOf(payload)).toEqual(gradesOf(GRADED));
  });
});
