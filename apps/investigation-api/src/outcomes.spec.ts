import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { answerOf, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import type { z } from 'zod';
import { analyst, clock, judged, record, type Outcome } from './outcomes.fixture.ts';
import type { CalibrationResponse, SourceRecord } from './wire/outcome-schema.ts';

type Report = z.output<typeof CalibrationResponse>;
const MINUTE_MS = 60_000;

describe('outcomes of a session', () => {
  it.each(['first-flight.json', 'chernobyl-deaths.json', 'lk-99.json'])(
    'an outcome of every finding of %s is recorded, whatever forms its fields have',
    async (file) => {
      covers('INV-O.1', 'INV-O.3');
      const call = await analyst(`outcomes-of-${file.replace('.json', '')}`);
      const example = new URL(`../../../examples/${file}`, import.meta.url);
      const payload = JSON.parse(readFileSync(example, 'utf8')) as object;
      await call('POST', '/sessions', { name: file, session_id: 'example', payload });
      const judgement = await call('POST', '/sessions/example/judge', {});
      const { subject_results: findings } = (judgement.json as { result: InvestigationResult }).result;
      clock.now += MINUTE_MS;
      for (const finding of findings) {
        const { subject_id, predicate } = finding;
        // What inferences alone conclude is answered by yes or no.
        const leading_value = finding.leading_value ?? 'true';
        const outcome = { subject_id, predicate, value: answerOf({ ...finding, leading_value }).value! };
        // Where nobody says anything with weight, there is nothing to score.
        const isSilent = finding.leading_value === null && finding.confidence.uncertainty === 1;
        const { status, json } = await call('POST', '/sessions/example/outcomes', outcome);
        expect([subject_id, predicate, status, (json as Outcome).forecast?.was_right]).toEqual([
          subject_id,
          predicate,
          200,
          isSilent ? undefined : true,
        ]);
      }
    },
  );

  it('an outcome scores the last judgement before it was known, and no later one', async () => {
    covers('INV-O.2');
    const call = await analyst('before');
    const session = await judged(call, 'one', { Daily: ['red'] });
    const first = (await call('GET', `${session}/judgements`)).json as { id: string; judged_at: string }[];
    const knownAt = new Date(clock.now).toISOString();
    clock.now += MINUTE_MS;
    await call('PATCH', session, {
      claims: [{ id: 'c0-0', actor_id: 'a0', subject_id: 's', predicate: 'q0', value: 'blue', content: '' }],
    });
    await call('POST', `${session}/judge`);
    const outcome = await record(call, session, 'q0', 'Red', { known_at: knownAt });
    expect(outcome).toMatchObject({ value: 'Red', recorded_by: 'before-analyst', known_at: knownAt });
    expect(outcome.forecast).toMatchObject({
      judgement_id: first[0]!.id,
      leading_value: 'red',
      was_right: true,
      sources_right: 1,
      sources_wrong: 0,
    });
    const early = new Date(Date.parse(first[0]!.judged_at) - 1).toISOString();
    expect(await record(call, session, 'q0', 'red', { known_at: early })).toMatchObject({ forecast: null });
  });

  it('the day of an outcome counts to its end, and where all judgements came later the outcome says that it counts nowhere', async () => {
    covers('INV-O.2', 'INV-O.12');
    const call = await analyst('days');
    const session = await judged(call, 'one', { Daily: ['red'] });
    const [first] = (await call('GET', `${session}/judgements`)).json as { judged_at: string }[];
    const today = first!.judged_at.slice(0, 10);
    for (const known_at of [today, today.slice(0, 7), today.slice(0, 4)]) {
      const { forecast, caution, known_at: since } = await record(call, session, 'q0', 'red', { known_at });
      expect([known_at, forecast?.was_right, caution]).toEqual([known_at, true, null]);
      // The day is not over.
      expect(Date.parse(since)).toBeLessThanOrEqual(clock.now);
    }
    const dayBefore = new Date(Date.parse(today) - 1).toISOString().slice(0, 10);
    const early = await record(call, session, 'q0', 'red', { known_at: dayBefore });
    expect(early).toMatchObject({ forecast: null, known_at: `${dayBefore}T23:59:59.999Z` });
    expect(early.caution).toMatch(
      /^It was known at .+, before the first judgement at .+, so this outcome counts nowhere\.$/,
    );
    expect((await call('GET', `${session}/outcomes`)).json).toEqual([early]);
    const future = new Date(Date.parse(today) + 2 * 24 * 60 * MINUTE_MS).toISOString().slice(0, 10);
    const refused = { subject_id: 's', predicate: 'q0', value: 'red', known_at: future };
    expect((await call('POST', `${session}/outcomes`, refused)).status).toBe(422);
    expect((await call('POST', '/sessions', { name: 'none', session_id: 'none' })).status).toBe(201);
    expect(await record(call, '/sessions/none', 'q0', 'red')).toMatchObject({
      forecast: null,
      caution: 'The investigation had not been judged, so this outcome counts nowhere.',
    });
  });

  it('an outcome of a question is recorded once: again replaces it, and deleting it takes what it taught along', async () => {
    covers('INV-O.1');
    const call = await analyst('once');
    const session = await judged(call, 'one', { Daily: ['red', 'red'], Weekly: ['blue', 'red'] });
    const wrong = await record(call, session, 'q0', 'blue');
    const right = await record(call, session, 'q0', 'red', {
      note: 'Report of May',
      url: 'https://example.org/r',
    });
    expect(right.id).toBe(wrong.id);
    await record(call, session, 'q1', 'red');
    const listed = await call('GET', `${session}/outcomes?limit=1`);
    expect(listed.json).toMatchObject([{ predicate: 'q1' }]);
    expect(listed.link).toContain('cursor=1');
    expect((await call('GET', `${session}/outcomes?limit=1&cursor=1`)).json).toEqual([right]);
    const sources = async () =>
      ((await call('GET', '/source-records')).json as z.output<typeof SourceRecord>[]).map(
        ({ name, right: times, statements }) => [name, times, statements],
      );
    expect(await sources()).toEqual([
      ['Daily', 2, 2],
      ['Weekly', 1, 2],
    ]);
    expect((await call('DELETE', `${session}/outcomes/${right.id}`)).status).toBe(204);
    expect((await call('DELETE', `${session}/outcomes/${right.id}`)).status).toBe(404);
    expect(await sources()).toEqual([
      ['Daily', 1, 1],
      ['Weekly', 1, 1],
    ]);
    expect((await call('DELETE', session)).status).toBe(204);
    expect(await sources()).toEqual([]);
  });

  it('an outcome of a question that the judgement does not have is refused with the questions that it has', async () => {
    covers('INV-O.2');
    const call = await analyst('unknown');
    const session = await judged(call, 'one', { Daily: ['red'] });
    const refused = await call('POST', `${session}/outcomes`, {
      subject_id: 's',
      predicate: 'color',
      value: 'red',
    });
    expect([refused.status, (refused.json as { error: string }).error]).toEqual([
      404,
      expect.stringContaining('q0'),
    ]);
  });

  it.each([
    [{ predicate: 'q0', value: 'red' }, 'subject_id'],
    [{ subject_id: 's', predicate: 'q0', value: ' ' }, 'value: must not be empty'],
    [
      { subject_id: 's', predicate: 'q0', value: 'red', known_at: 'tomorrow' },
      'known_at: must be an ISO 8601 date',
    ],
    [
      { subject_id: 's', predicate: 'q0', value: 'red', known_at: '2999-01-01' },
      'known_at: lies in the future',
    ],
    [
      { subject_id: 's', predicate: 'q0', value: 'red', url: 'javascript:alert(1)' },
      'url: must be an http or https',
    ],
    [{ subject_id: 's', predicate: 'q\0', value: 'red' }, 'predicate: must not contain'],
    [
      { subject_id: 's', predicate: 'q0', value: 'red', known_at: '0000-01-01' },
      'known_at: must be in the year 1 or later',
    ],
    [
      { subject_id: 's', predicate: 'q0', value: 'red', known_at: '0001-01-01T00:00:00+01:00' },
      'known_at: must be in the year 1 or later',
    ],
  ])('an outcome such as %j is refused, naming %s', async (body, named) => {
    covers('INV-O.1', 'INV-O.7');
    const call = await analyst('refused');
    await call('POST', '/sessions', { name: 'n', session_id: 'one' });
    const { status, json } = await call('POST', '/sessions/one/outcomes', body);
    expect([status, (json as { error: string }).error]).toEqual([422, expect.stringContaining(named)]);
  });

  it('an outcome of a yes-or-no question is read in usual spellings, and refused where it is neither', async () => {
    covers('INV-O.9');
    const call = await analyst('yes-or-no');
    const session = await judged(call, 'one', { Daily: ['yes', 'red'] });
    clock.now += MINUTE_MS;
    const [stopped, no] = [
      await record(call, session, 'q0', 'False.'),
      await record(call, session, 'q0', 'nope'),
    ];
    expect(stopped.forecast).toEqual(no.forecast);
    expect(no).toMatchObject({ value: 'nope', forecast: { was_right: false, sources_wrong: 1 } });
    expect(no.forecast!.chance_of_outcome).toBeCloseTo(1 - no.forecast!.chance, 12);
    const refused = { subject_id: 's', predicate: 'q0', value: 'maybe' };
    expect(await call('POST', `${session}/outcomes`, refused)).toMatchObject({
      status: 422,
      json: { error: expect.stringMatching(/^value: is neither yes nor no/) },
    });
    expect((await call('GET', `${session}/outcomes`)).json).toEqual([no]);
  });

  it.each(['subject_id', 'predicate', 'value', 'note'])(
    'an outcome takes 2,000 characters of %s and refuses one more, naming the field',
    async (field) => {
      covers('INV-O.7');
      const call = await analyst(`long-${field}`);
      await call('POST', '/sessions', { name: 'n', session_id: 'one' });
      const post = (characters: number) =>
        call('POST', '/sessions/one/outcomes', {
          subject_id: 's',
          predicate: 'q0',
          value: 'red',
          [field]: '\u{1F600}'.repeat(characters),
        });
      expect(await post(2000)).toMatchObject({
        status: 200,
        json: { [field]: '\u{1F600}'.repeat(2000) },
      });
      expect(await post(2001)).toMatchObject({
        status: 422,
        json: { error: `${field}: must have at most 2000 characters` },
      });
    },
  );
});

describe('outcomes of a question with several scopes or times', () => {
  const claim = (id: string, predicate: string, value: string, more: object) => ({
    id,
    actor_id: `a${id}`,
    subject_id: 's',
    predicate,
    value,
    content: '',
    ...more,
  });
  const winter = { scope: 'in winter' };
  const payload = {
    research_question: 'Is it open?',
    actors: [0, 1, 2].map((id) => ({ id: `a${id}`, name: `Warden ${id}`, source_type: 'Regulator' })),
    subjects: [{ id: 's', name: 'The pass', subject_type: 't' }],
    claims: [
      claim('0', 'open', 'no', winter),
      claim('1', 'open', 'no', winter),
      claim('2', 'open', 'yes', { scope: 'in summer' }),
    ],
  };
  async function pass(name: string) {
    const call = await analyst(name);
    await call('POST', '/sessions', { name, session_id: 'pass', payload });
    await call('POST', '/sessions/pass/judge');
    return { call, session: '/sessions/pass' };
  }

  it('an outcome without a scope scores that of the leading value, names it, and warns of claims of another one', async () => {
    covers('INV-O.24', 'INV-O.25');
    const { call, session } = await pass('unscoped');
    const outcome = await record(call, session, 'open', 'yes');
    expect(outcome).toMatchObject({
      scope: null,
      forecast: { scope: 'in winter', was_right: false, sources_wrong: 2, claims_elsewhere: 1 },
      caution: expect.stringMatching(
        /^Only what was said `in winter` was scored; 1 claim on the question is/,
      ),
    });
    expect((await call('GET', `${session}/outcomes`)).json).toEqual([outcome]);
  });

  it('an outcome of a scope scores that scope in calibration and records, next to an outcome of another one', async () => {
    covers('INV-O.23', 'INV-O.25', 'INV-O.26');
    const { call, session } = await pass('scoped');
    const summer = await record(call, session, 'open', 'yes', { scope: 'in summer' });
    expect(summer).toMatchObject({
      scope: 'in summer',
      event_start_time: null,
      forecast: { leading_value: 'true', scope: 'in summer', was_right: true, sources_right: 1 },
      caution: null,
    });
    expect(summer.forecast!.sources_wrong).toBe(0);
    const inWinter = await record(call, session, 'open', 'no', winter);
    expect(inWinter.forecast).toMatchObject({ scope: 'in winter', was_right: true, sources_right: 2 });
    expect((await record(call, session, 'open', 'no', winter)).id).toBe(inWinter.id);
    expect(inWinter.id).not.toBe(summer.id);
    expect((await call('GET', '/calibration')).json).toMatchObject({ outcomes: 2, accuracy: 1 });
    const records = (await call('GET', '/source-records')).json as z.output<typeof SourceRecord>[];
    expect(records.map(({ name, right, statements }) => [name, right, statements]).toSorted()).toEqual([
      ['Warden 0', 1, 1],
      ['Warden 1', 1, 1],
      ['Warden 2', 1, 1],
    ]);
  });

  it('an outcome without a scope stays next to one that names the scope that it scored, and both count, until it is deleted', async () => {
    covers('INV-O.28');
    const { call, session } = await pass('superseded');
    const unscoped = await record(call, session, 'open', 'no');
    const scoped = await record(call, session, 'open', 'no', winter);
    expect(unscoped.forecast!.scope).toBe(scoped.scope);
    expect((await call('GET', '/calibration')).json).toMatchObject({ outcomes: 2 });
    await call('DELETE', `${session}/outcomes/${unscoped.id}`);
    expect((await call('GET', '/calibration')).json).toMatchObject({ outcomes: 1 });
  });

  it.each([
    [{ scope: 'in spring' }, 'scope: no claim on the question is of this scope'],
    [{ event_start_time: '2020', event_end_time: '2020' }, 'event_start_time: must be before event_end_time'],
    [{ event_end_time: 'soon' }, 'event_end_time: must be an ISO 8601 date'],
  ])('an outcome of %j is refused, naming the field', async (more, problem) => {
    covers('INV-O.27');
    const { call, session } = await pass('refused-scopes');
    const body = { subject_id: 's', predicate: 'open', value: 'no', ...more };
    const { status, json } = await call('POST', `${session}/outcomes`, body);
    expect([status, (json as { error: string }).error]).toEqual([422, expect.stringContaining(problem)]);
  });
});

describe('outcomes of denials and ratings', () => {
  const saying = (predicate: string, value: string, valence = 'Supports') => ({
    claims: [0, 1].map((index) => ({
      id: `c${index}`,
      actor_id: `a${index}`,
      subject_id: 's',
      predicate,
      value,
      valence,
      content: '',
    })),
  });
  const desks = { A: ['x'], B: ['x'] };

  it('an outcome scores the denial of a question that claims only deny, and calibration counts it as right', async () => {
    covers('INV-O.30');
    const call = await analyst('denied');
    const session = await judged(call, 'one', desks, saying('city', 'Paris', 'Refutes'));
    const outcome = await record(call, session, 'city', 'Lyon');
    expect(outcome.forecast).toMatchObject({
      leading_value: 'Paris',
      denied: true,
      was_right: true,
      sources_right: 2,
      sources_wrong: 0,
    });
    expect(outcome.forecast!.chance).toBeGreaterThan(0.5);
    expect((await call('GET', `${session}/outcomes`)).json).toEqual([outcome]);
    expect((await call('GET', '/calibration')).json).toMatchObject({ scored: 1, accuracy: 1 });
  });

  it('an outcome that is yes or no counts nowhere where a rating led, and says why', async () => {
    covers('INV-O.31');
    const call = await analyst('rated');
    const session = await judged(call, 'one', desks, saying('is_true', 'Misleading'));
    const outcome = await record(call, session, 'is_true', 'false');
    expect(outcome).toMatchObject({
      forecast: null,
      caution: expect.stringMatching(/counts nowhere: .*a rating such as Misleading/),
    });
    expect((await call('GET', `${session}/outcomes`)).json).toEqual([outcome]);
    expect((await call('GET', '/calibration')).json).toMatchObject({ scored: 0, unscored: 1 });
  });
});

describe('outcomes that are numbers', () => {
  it('an outcome that differs from the claims in its unit alone says how both were read', async () => {
    covers('INV-O.11');
    const call = await analyst('units');
    const session = await judged(call, 'height', { A: ['300 m', '300 ft', '5'] });
    const cautionOf = async (predicate: string, value: string) =>
      (await record(call, session, predicate, value)).caution;
    expect(await cautionOf('q0', '300')).toContain('`300` (read as 300) and `300 m` (read as 300000000)');
    expect(await cautionOf('q1', '91 m')).toContain('`300 ft` (read as 300 foot)');
    expect(await cautionOf('q0', '300 m')).toBeNull();
    expect(await cautionOf('q1', '300')).toBeNull();
    expect(await cautionOf('q2', '6')).toBeNull();
    expect((await call('GET', `${session}/outcomes`)).json).toMatchObject([
      { caution: null },
      { caution: null },
      { caution: null },
    ]);
  });
});

describe('the calibration report', () => {
  it('the calibration report equals the figures by hand, whole and by domain, and counts nobody else', async () => {
    covers('INV-O.4', 'INV-O.34');
    const call = await analyst('report');
    expect((await call('GET', '/calibration')).json).toMatchObject({ outcomes: 0, scored: 0, brier: null });
    const news = await judged(
      call,
      'news',
      { Daily: ['red', 'red'], Weekly: ['red', 'blue'], Monthly: ['red', 'blue'] },
      { domain: 'News' },
    );
    const tied = await judged(call, 'tied', { Daily: ['up'], Weekly: ['down'] });
    const { forecast, caution } = await record(call, tied, 'q0', 'up');
    expect(forecast).toMatchObject({ leading_value: null, tied: true, was_right: null });
    expect(caution).toMatch(/^Several values were tied/);
    const plain = await judged(call, 'plain', { Daily: ['up'] });
    const outcomes = [
      await record(call, news, 'q0', 'red'),
      await record(call, news, 'q1', 'green'),
      await record(call, plain, 'q0', 'up'),
    ];
    await record(call, plain, 'q0', 'up', { known_at: '2000-01-01' });
    await record(call, plain, 'q0', 'up');
    const error = ({ forecast }: Outcome) => (forecast!.chance - Number(forecast!.was_right)) ** 2;
    const report = (await call('GET', '/calibration')).json as Report;
    expect(report).toMatchObject({ outcomes: 4, scored: 3 });
    expect(report.accuracy).toBeCloseTo(2 / 3, 12);
    expect(report.brier).toBeCloseTo(outcomes.reduce((sum, one) => sum + error(one), 0) / 3, 12);
    const surprise = ({ forecast }: Outcome) => {
      const chance = Math.min(0.999, Math.max(0.001, forecast!.chance));
      return -Math.log(forecast!.was_right ? chance : 1 - chance);
    };
    expect(report.log_score).toBeCloseTo(outcomes.reduce((sum, one) => sum + surprise(one), 0) / 3, 12);
    expect(report.bins.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    for (const { count, mean_chance, share_right } of report.bins)
      expect([mean_chance, share_right].map((figure) => figure === null)).toEqual([count === 0, count === 0]);
    expect(report.bins.map(({ to }) => to)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
    expect(report.domains).toMatchObject([
      { domain: 'News', scored: 2, accuracy: 0.5 },
      { domain: 'General', scored: 1, accuracy: 1 },
    ]);
    expect((await call('GET', '/calibration?domain=news')).json).toMatchObject({ scored: 2, accuracy: 0.5 });
    const other = await analyst('stranger');
    expect((await other('GET', '/calibration')).json).toMatchObject({ outcomes: 0 });
    expect((await other('GET', '/source-records')).json).toEqual([]);
  });

  it('a domain is one in the calibration report however it is spelled, and its filter filters every figure', async () => {
    covers('INV-O.4', 'INV-O.17');
    const call = await analyst('spelled');
    for (const [index, domain] of ['News', 'news', 'NEWS', 'science'].entries())
      await record(call, await judged(call, `s${index}`, { Daily: ['red'] }, { domain }), 'q0', 'red');
    const plain = await judged(call, 'plain', { Daily: ['up'] });
    await record(call, plain, 'q0', 'up', { known_at: '2000-01-01' });
    const counts = async (query: string) => {
      const report = (await call('GET', `/calibration${query}`)).json as Report;
      const { outcomes, scored, unscored, domains, bins } = report;
      const binned = bins.reduce((sum, { count }) => sum + count, 0);
      expect(outcomes).toBe(scored + unscored);
      return [outcomes, scored, binned, ...domains.map((one) => `${one.domain} ${one.scored}`)];
    };
    expect(await counts('')).toEqual([5, 4, 4, 'News 3', 'Science 1']);
    expect(await counts('?domain=nEWS')).toEqual([3, 3, 3, 'News 3']);
    expect(await counts('?domain=Legal')).toEqual([0, 0, 0]);
    for (const domain of ['Nope', '', '%20'])
      expect(await call('GET', `/calibration?domain=${domain}`)).toMatchObject({
        status: 422,
        json: { error: expect.stringMatching(/^domain: must be one of .*News/) },
      });
  });
});
