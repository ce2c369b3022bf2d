import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { readConformanceSuite } from '@platform/testing/conformance';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, policy, type Tenancy } from './service.fixture.ts';

interface Case {
  readonly pattern: string;
  readonly text: string;
  readonly expected: boolean;
}
interface RegexCase {
  regex: string;
  haystack: string;
  compiles?: boolean;
  is_match_unanchored: boolean;
}
interface GlobCase {
  pattern: string;
  text: string;
  match?: boolean;
}

const regex =
  readConformanceSuite<Record<'cases' | 'compile_fail' | 'compile_ok', RegexCase[]>>('rust-regex.json');
const redos = readConformanceSuite<{
  cases: { regex: string; is_match: boolean; haystack_rle: [string, number][] }[];
  compile_limits: { regex: string | null; regex_rle: [string, number][] | null }[];
}>('redos.json');
const glob = readConformanceSuite<
  Record<'cases' | 'core_cross' | 'doublestar_cross' | 'contested' | 'unicode_and_edges', GlobCase[]> & {
    compile_fail: { pattern: string; glob_crate: string; globset: string }[];
  }
>('glob.json');
const ed25519 = readConformanceSuite<{ cases: { tcId: number; sig: string; result: 'valid' | 'invalid' }[] }>(
  'wycheproof-ed25519.json',
);

const written = (rle: readonly [string, number][]) => rle.map(([unit, count]) => unit.repeat(count)).join('');

/** The upstream suites through the running service: policies by gRPC, decisions by gRPC and by REST. */
describe('conformance over the wire', () => {
  const fleet = useFleet('postgres');
  let tenancy: Tenancy;
  beforeAll(async () => {
    tenancy = await createTenancy(fleet.clients);
  });

  /**
   * Puts every distinct pattern into one domain, each behind a `case` of its own, and asks for every case. A
   * check that fails closed is denied too, so every denial is asked again with an attribute that a policy
   * beside it allows: only one whose policies could all be evaluated is allowed then.
   */
  async function findWrong(engine: EvaluationEngine, cases: readonly Case[]): Promise<Case[]> {
    const { tenantId, token } = tenancy;
    const { id: domainId } = await fleet.clients.domains.createDomain(
      { tenantId, name: `engine ${engine}, ${cases.length} cases`, superiorDomainIds: [] },
      { token },
    );
    const patterns = [...new Set(cases.map(({ pattern }) => pattern))];
    const name = (pattern: string) => `case ${patterns.indexOf(pattern)}`;
    const literal = (text: string) => (engine === EvaluationEngine.REGEX ? `^${text}$` : text);
    const policies = patterns.map((value) =>
      policy(name(value), { case: literal(name(value)), value }, { engine }),
    );
    policies.push(policy('evaluated', { probe: 'yes' }));
    await fleet.clients.domains.putDomainPolicies(
      { tenantId, domainId, policies },
      { token, timeoutMs: 600_000 },
    );
    const ask = async (batch: readonly Case[], probe: Record<string, string>) => {
      const checks = batch.map(({ pattern, text }) => ({
        context: requestContext({
          subject: 's',
          action: 'a',
          object: `svc://${domainId}/x`,
          case: name(pattern),
          value: text,
          ...probe,
        }),
      }));
      const response = await fleet.clients.authorization.batchCheckAuthorization(
        { checks },
        { token, timeoutMs: 600_000 },
      );
      expect(response.results.flatMap(({ error }) => error ?? [])).toEqual([]);
      return response.results.map(({ authorized }) => authorized);
    };
    const wrong: Case[] = [];
    for (let from = 0; from < cases.length; from += 1_000) {
      const batch = cases.slice(from, from + 1_000);
      const decided = await ask(batch, {});
      const evaluated = await ask(batch, { probe: 'yes' });
      wrong.push(...batch.filter(({ expected }, i) => decided[i] !== expected || evaluated[i] !== true));
    }
    return wrong;
  }

  /** How many of the patterns, one policy each, the service refuses to store. */
  async function countRefused(engine: EvaluationEngine, patterns: readonly string[]): Promise<number> {
    const policies = patterns.map((value, i) => policy(`case ${i}`, { value }, { engine }));
    const { errors } = await fleet.clients.authorization.validatePolicies(
      { policies },
      { token: tenancy.token, timeoutMs: 600_000 },
    );
    return new Set(errors.map(({ policyName }) => policyName)).size;
  }

  it("REGEX decides the 876 matches of the regex crate's own suite as the crate does", async () => {
    covers('AUTHZ-M.3', 'AUTHZ-D.12');
    const cases = regex.cases
      .filter(({ compiles }) => compiles !== false)
      .map(({ regex: pattern, haystack: text, is_match_unanchored: expected }) => ({
        pattern,
        text,
        expected,
      }));
    expect(await findWrong(EvaluationEngine.REGEX, cases)).toEqual([]);
    expect([regex.cases.length, cases.length]).toEqual([881, 876]);
  });

  it('REGEX patterns are refused at write where the crate refuses them, and only there', async () => {
    covers('AUTHZ-D.12');
    const refused = [...regex.compile_fail, ...regex.cases.filter(({ compiles }) => compiles === false)];
    const patterns = [...new Set(refused.map((one) => one.regex))];
    expect(await countRefused(EvaluationEngine.REGEX, patterns)).toBe(patterns.length);
    expect(
      await countRefused(
        EvaluationEngine.REGEX,
        regex.compile_ok.map((one) => one.regex),
      ),
    ).toBe(0);
    const limits = redos.compile_limits.map((one) => one.regex ?? written(one.regex_rle ?? []));
    expect(await countRefused(EvaluationEngine.REGEX, limits)).toBe(limits.length);
    expect([patterns.length, regex.compile_ok.length, limits.length]).toEqual([144, 418, 6]);
  });

  it('REGEX decides all 11 patterns that backtracking engines hang on', async () => {
    covers('AUTHZ-M.3');
    const cases = redos.cases.map((one) => ({
      pattern: one.regex,
      text: written(one.haystack_rle),
      expected: one.is_match,
    }));
    expect(await findWrong(EvaluationEngine.REGEX, cases)).toEqual([]);
    expect(cases).toHaveLength(11);
  });

  it('GLOB decides the 1379 cases on which the glob and globset crates agree as they do', async () => {
    covers('AUTHZ-M.4', 'AUTHZ-D.13');
    const all = [...glob.cases, ...glob.core_cross, ...glob.doublestar_cross, ...glob.unicode_and_edges];
    const agreed = all.flatMap(({ match, ...one }) =>
      match === undefined ? [] : [{ ...one, expected: match }],
    );
    expect(await findWrong(EvaluationEngine.GLOB, agreed)).toEqual([]);
    // Where the crates contradict one another there is no result to conform to.
    expect([agreed.length, all.length - agreed.length, glob.contested.length]).toEqual([1379, 5, 26]);
  });

  it('GLOB patterns are refused at write where both crates refuse them', async () => {
    covers('AUTHZ-D.13');
    const refused = glob.compile_fail.filter((one) => one.glob_crate === 'error' && one.globset === 'error');
    const patterns = refused.map(({ pattern }) => pattern);
    expect(await countRefused(EvaluationEngine.GLOB, patterns)).toBe(patterns.length);
    expect([patterns.length, glob.compile_fail.length - patterns.length]).toEqual([12, 11]);
  });

  /** Whether a token passes on either wire. */
  async function passes(token: string): Promise<boolean> {
    const context = { subject: tenancy.userId, action: 'x', object: `svc://${tenancy.rootDomainId}/x` };
    const rest = await fetch(`${fleet.httpUrl}/v1/authz/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ context }),
    });
    const call = fleet.clients.authorization.checkAuthorization(
      { context: requestContext(context) },
      { token },
    );
    if (rest.status === 200) return (await call).authorized;
    expect([rest.status, (await refusalOf(call)).reason]).toEqual([401, 'TOKEN_INVALID']);
    return false;
  }

  it('no signature of the Ed25519 suite passes on a token, by gRPC or by REST', async () => {
    covers('AUTHZ-A.7');
    const signed = tenancy.token.slice(0, tenancy.token.lastIndexOf('.'));
    const passed: number[] = [];
    for (const { tcId, sig } of ed25519.cases) {
      if (await passes(`${signed}.${Buffer.from(sig, 'hex').toString('base64url')}`)) passed.push(tcId);
    }
    expect(passed).toEqual([]);
    // That the valid ones verify can only be asked of the verifier (libs/jwt): none of their messages is a
    // token.
    const valid = ed25519.cases.filter(({ result }) => result === 'valid');
    expect([ed25519.cases.length, valid.length]).toEqual([151, 88]);
  });
});
