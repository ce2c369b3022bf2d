import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import type { Policy, RequestValue } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { OPERATIONS } from '../src/console/operations.ts';
import { domainsOf } from '../src/names.ts';
import { effectOf, replayLines } from '../src/policy-changes.ts';
import type { Session } from '../src/shell.ts';
import { verdictOf } from '../src/verdict.ts';
import { runPlatform } from './command-line.fixture.ts';
import { policy, startAuthority, type Authority } from './guard.fixture.ts';

fc.configureGlobal({ seed: SEED });

/** Why a check that is not authorized is not, as batches tell it. */
const KINDS: Readonly<Record<string, string>> = {
  'no policy allows it': 'denied: false',
  'the domain has no policies': 'denied: false',
  'the policies could not be evaluated': 'denied: true',
};
/** How a request of a plan or a replay says it. */
const TOLD: Readonly<Record<string, string>> = {
  'denied: no policy allows it': 'denied, as no policy allows it',
  'denied: the domain has no policies': 'denied, as no policy allows it',
  'denied: the policies could not be evaluated': 'denied, as the policies could not be evaluated',
};
/** What was decided, without the policy that was nearest, which the digest of a long value cannot tell. */
const decidedOf = (explained: Parameters<typeof verdictOf>[0]) =>
  verdictOf(explained).replace(/; nearest: .*$/, '');
/** About the longest value that rows of checks keep, which is too long for the pattern below. */
const LONG = 'x'.repeat(1_020);
const COSTLY = '^(?:abcdefghij){0,905}$';

describe('what is said about a decision', () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await startAuthority();
  });
  afterAll(() => authority?.stop());

  const SUBJECTS = ['zed', 'amy'];
  const rules = fc.record(
    {
      subject: fc.constantFrom(...SUBJECTS, '$current_user()'),
      action: fc.constantFrom('edit', 'fly', 'read'),
      owner: fc.constantFrom('$resource_owner()', '$current_user()', 'zed'),
    },
    { requiredKeys: ['action'] },
  );
  const policies = fc
    .array(
      fc.record({
        rules,
        deny: fc.nat(4).map((chance) => chance === 0),
        invert: fc.nat(9).map((chance) => chance === 0),
        isCostly: fc.nat(9).map((chance) => chance === 0),
      }),
      { maxLength: 4 },
    )
    .map((made) =>
      made.map((one, index): Policy => ({
        ...(one.isCostly
          ? policy(`p${index}`, 'REGEX', { note: COSTLY }, one.deny)
          : policy(`p${index}`, 'FIXED', one.rules as Record<string, string>, one.deny)),
        invert: one.invert,
      })),
    );
  const MORE: readonly Readonly<Record<string, string>>[] = [{}, { owner: 'zed' }, { note: LONG }];
  const contexts = SUBJECTS.flatMap((subject) =>
    ['edit', 'fly'].flatMap((action) => MORE.map((more) => ({ subject, action, ...more }))),
  );

  it('explanations, batches, plans, replays and the console agree why a check is denied', async () => {
    covers('AUTHZ-CLI.25', 'AUTHZ-I.5');
    const { clients, owner, tenantId } = authority;
    // Not the root domain, whose policies could lock the tenant.
    const { id: domainId } = await clients.domains.createDomain(
      { tenantId, name: 'moon', superiorDomainIds: [] },
      owner,
    );
    const place = { tenantId, domainId };
    const session = {
      clients,
      context: { tenant_id: tenantId, domain_id: domainId },
      extras: owner,
      isJson: false,
    } as unknown as Session;
    const object = `svc://${domainId}/moon/1`;
    const seen: Record<string, number> = {};
    const see = (said: string) => void (seen[said] = (seen[said] ?? 0) + 1);
    const explain = async (context: Map<string, RequestValue>) =>
      clients.authorization.explainAuthorization({ context }, owner);

    const costly = policy('p0', 'REGEX', { note: COSTLY });
    const flights = policy('p1', 'FIXED', { action: 'fly' }, true);
    const edits = policy('p0', 'FIXED', { action: 'edit' });
    await fc.assert(
      fc.asyncProperty(policies, policies, async (before, after) => {
        const since = new Date(Date.now() - 1);
        await clients.domains.putDomainPolicies({ ...place, policies: before }, owner);
        const asked = contexts.map((context) => ({ ...context, object }));
        const { results } = await clients.authorization.batchCheckAuthorization(
          { checks: asked.map((context) => ({ context: requestContext(context) })) },
          owner,
        );
        for (const [at, context] of asked.entries()) {
          const { authorized, denied, checkId } = results[at]!;
          const explained = await explain(requestContext(context));
          const verdict = decidedOf(explained);
          const past = { context: new Map(), checkId };
          const ofPast = await clients.authorization.explainAuthorization(past, owner);
          const { subject, action } = context;
          const attributes = Object.entries(context)
            .slice(2, -1)
            .map(([key, value]) => `${key}=${value}`);
          const shown = await OPERATIONS['explain']!.run(session, {
            domain: domainId,
            subject,
            action,
            object,
            attributes,
          });
          expect([decidedOf(ofPast), shown]).toMatchObject([
            verdict,
            { verdict: verdictOf(explained, await domainsOf(session, explained.policies)) },
          ]);
          expect(ofPast.denied).toBe(denied);
          const [state, why = ''] = verdict.split(': ');
          const said =
            state === 'allowed'
              ? 'allowed'
              : (KINDS[why] ?? (/^policy `p\d` denies it$/.test(why) ? 'denied: true' : why));
          expect(said).toBe(authorized ? 'allowed' : `denied: ${denied}`);
          see(KINDS[why] === undefined ? state! : why);
        }
        const { changes } = await clients.policySets.planPolicyChange({ ...place, policies: after }, owner);
        const replayed = await clients.policySets.replayPolicies(
          { ...place, policies: after, since, until: undefined },
          owner,
        );
        const lines = replayLines(replayed).join('\n');
        const witnesses = [
          ...changes.map((change) => ({ witness: change.witness, words: effectOf(change) })),
          ...(replayed.gained?.first ?? []).slice(0, 5).map((witness) => ({ witness, words: lines })),
        ];
        for (const { witness, words } of witnesses) {
          if (witness === undefined || witness.authorizedBefore) continue;
          const verdict = decidedOf(await explain(witness.context));
          const why = /^denied: policy (`.*`) denies it$/.exec(verdict)?.[1];
          const told = why === undefined ? TOLD[verdict] : `denied by ${why}`;
          expect(words).toContain(`: ${told}, then allowed`);
          see(`${why ?? verdict}, then allowed`);
        }
      }),
      {
        numRuns: soak(60, 12),
        endOnFailure: true,
        examples: [
          [[costly, flights], [edits]],
          [[flights], [edits]],
          [[], [edits]],
        ],
      },
    );
    expect(seen).toMatchObject({
      allowed: expect.any(Number),
      denied: expect.any(Number),
      'no policy allows it': expect.any(Number),
      'the policies could not be evaluated': expect.any(Number),
      'denied: no policy allows it, then allowed': expect.any(Number),
      'denied: the policies could not be evaluated, then allowed': expect.any(Number),
    });
  });

  it('policies of one name in two domains are named with their domain, on the command line and in the console', async () => {
    covers('AUTHZ-CLI.53');
    const { clients, owner, tenantId, domainId: rootId, address } = authority;
    const { id: domainId } = await clients.domains.createDomain(
      { tenantId, name: 'desk', superiorDomainIds: [rootId] },
      owner,
    );
    await authority.put([policy('readers', 'FIXED', { subject: 'zed', action: 'fly' }, true)]);
    const readers = policy('readers', 'FIXED', { subject: 'zed', action: 'read' });
    await clients.domains.putDomainPolicies({ tenantId, domainId, policies: [readers] }, owner);
    const env = { PLATFORM_ADDRESS: address, PLATFORM_TOKEN: owner.token };
    const context = { tenant_id: tenantId, domain_id: rootId };
    const session = { clients, context, extras: owner, isJson: false } as unknown as Session;
    const object = `svc://${domainId}/a`;
    const verdicts = {
      read: 'allowed: policy `readers` of domain `desk` allows it',
      fly: 'denied: policy `readers` of domain `root` denies it',
      edit: 'denied: no policy allows it; nearest: policy `readers` of domain `desk`, `action` does not match',
    };
    for (const [action, verdict] of Object.entries(verdicts)) {
      const [first, ...lines] = (await runPlatform(env, ['explain', 'zed', action, object])).out.split('\n');
      expect(first).toBe(verdict);
      for (const domain of ['desk', 'root'])
        expect(lines).toContainEqual(expect.stringMatching(`^. readers of domain \`${domain}\` \\(`));
      const asked = { domain: rootId, subject: 'zed', action, object, attributes: [] };
      expect(await OPERATIONS['explain']!.run(session, asked)).toMatchObject({
        verdict,
        policies: expect.arrayContaining([
          expect.objectContaining({ policyName: 'readers', of: ' of domain `desk`' }),
          expect.objectContaining({ policyName: 'readers', of: ' of domain `root`' }),
        ]),
      });
    }
  });

  it('an allow with an unresolved macro leaves a check denied for lack of a policy, with a note', async () => {
    covers('AUTHZ-CLI.25', 'AUTHZ-D.6');
    const rules = { action: 'edit', subject: '$current_user()', owner: '$resource_owner()' };
    await authority.put([policy('own', 'FIXED', rules)]);
    const env = { PLATFORM_ADDRESS: authority.address, PLATFORM_TOKEN: authority.owner.token };
    const ran = await runPlatform(env, ['explain', 'zed', 'fly', 'moon/1']);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^denied: no policy allows it(?:; nearest: .*)?\n/);
    expect(ran.out).toMatch(/^! policy `own`/m);
  });

  it('a member who may list no domains has the domain of the context in the console', async () => {
    covers('AUTHZ-CON.17');
    const { clients, tenantId, domainId, newUser } = authority;
    const dora = await newUser('dora');
    const context = { tenant_id: tenantId, domain_id: domainId };
    const session = { clients, context, extras: dora, isJson: false } as unknown as Session;
    expect(await OPERATIONS['me']!.run(session, {})).toMatchObject({
      username: 'dora',
      domainId,
      domains: [{ id: domainId, name: domainId }],
    });
  });

  it('a member is told what to give in the place of a name, also where they may not ask', async () => {
    covers('AUTHZ-CLI.26', 'AUTHZ-CLI.27');
    const { address, folder, newUser } = authority;
    const { id } = await newUser('eve');
    const env = {
      PLATFORM_ADDRESS: address,
      PLATFORM_PASSWORD: 'correct horse battery staple',
      PLATFORM_CONFIG: join(folder, 'eve.json'),
    };
    const run = (...args: string[]) => runPlatform(env, args);
    expect(await run('login', 'eve', '--tenant', 'acme')).toMatchObject({ code: 0 });
    for (const args of [
      ['search', 'resources', 'eve', 'read'],
      ['search', 'actions', 'eve', 'repo/a'],
      ['plan', 'eve', 'read', '--names-only'],
      ['explain', 'eve', 'read', 'repo/a'],
    ]) {
      const { code, error } = await run(...args);
      expect([args, code, error]).toEqual([args, 4, expect.stringContaining(`ask about ${id}`)]);
    }
    const { code, error } = await run('use', '--domain', 'moon');
    expect([code, error]).toEqual([4, expect.stringMatching(/domain `moon` by its name: give its id/)]);
  });

  it('a plan of a set that locks the tenant says that a put refuses it', async () => {
    covers('AUTHZ-CLI.29');
    const { address, owner, folder, domainId } = authority;
    const file = join(folder, 'locks.yaml');
    writeFileSync(file, 'policies: []\n');
    const env = { PLATFORM_ADDRESS: address, PLATFORM_TOKEN: owner.token };
    const plan = await runPlatform(env, ['policies', 'plan', file, '--domain', domainId]);
    expect([plan.code, plan.out]).toEqual([
      1,
      expect.stringMatching(/^`put` refuses the set: no user of the tenant could `manage` it/m),
    ]);
  });

  it('the id of a signing key may begin with a hyphen', async () => {
    covers('AUTHZ-CLI.28');
    const env = { PLATFORM_ADDRESS: authority.address, PLATFORM_TOKEN: authority.owner.token };
    for (const id of ['-8HW88IW', '-h8W88IW', '--W88IW'])
      expect([id, await runPlatform(env, ['signing-keys', 'retire', id])]).toMatchObject([id, { code: 4 }]);
  });
});
