import { GrpcCallError, requestContext, verifyListedChain } from '@platform/authz-client';
import { PlannedKind } from '@platform/proto/authz/v1/policy_set';
import { z } from 'zod';
import { contextOf, readSince, readWhole } from '../arguments.ts';
import { auditSubject } from '../audit-subject.ts';
import {
  accountNames,
  domainsOf,
  introspect,
  namedSubjectLines,
  nameObject,
  nameSubject,
  objectOf,
  placeNames,
  placeOf,
  searchedSubjectLines,
  withAccountNames,
} from '../names.ts';
import { leavesLine } from '../leaving-policies.ts';
import { everyPage } from '../pages.ts';
import {
  effectOf,
  planPolicies,
  planSummary,
  replayLines,
  replayPolicies,
  unlistedChanges,
} from '../policy-changes.ts';
import { diffPolicies } from '../policy-diff.ts';
import { readPolicyText, toMessages, toYaml, type PolicyFile } from '../policy-file.ts';
import {
  isRefused,
  SET_MS_MAX,
  setOf,
  validateSet,
  withOtherFindings,
  withPlaceOfTest,
} from '../policy-findings.ts';
import type { Session } from '../shell.ts';
import { ofDomain, verdictOf } from '../verdict.ts';

const AUDIT_ROWS = 50;
/** Names that a search shows. */
const FOUND_MAX = 1_000;

const Domain = z.strictObject({ domain: z.string() });
const Request = Domain.extend({
  subject: z.string().min(1),
  action: z.string().min(1),
  object: z.string().min(1),
  /** Each `key=value`. */
  attributes: z.array(z.string()),
});
const Edited = Domain.extend({ text: z.string() });

/** What the page asks for, by name: a schema of the request, and what responds to it. */
export interface Operation<Input = unknown> {
  readonly input: z.ZodType<Input>;
  run(session: Session, input: Input): Promise<object>;
}

function operation<Input>(
  input: z.ZodType<Input>,
  run: (session: Session, input: Input) => Promise<object>,
): Operation {
  return { input, run: (session, given) => run(session, given as Input) };
}

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  /** The user who is logged in, and the domains of their tenant. */
  me: operation(z.strictObject({}), async (session) => {
    const { username, tenantId, subjectId } = await introspect(session);
    const place = await placeOf(session, {});
    const { domains } = await everyPage('domains', (pageToken) =>
      session.clients.domains.listDomains({ tenantId: place.tenantId, pageToken }, session.extras),
    ).catch((error: unknown) => {
      // Who may not list the domains may still read, try and search in the one of the context.
      if (!(error instanceof GrpcCallError) || error.reason !== 'ACCESS_DENIED') throw error;
      return { domains: [{ id: place.domainId, name: place.domainId }] };
    });
    return {
      username,
      subjectId,
      tenantId,
      domainId: place.domainId,
      domains: domains.map(({ id, name }) => ({ id, name })),
    };
  }),

  /** The decision of a request and what every policy contributed. */
  explain: operation(Request, async (session, { domain, subject, action, object, attributes }) => {
    const context = contextOf(subject, action, await objectOf(session, object, domain), attributes);
    const explained = await session.clients.authorization.explainAuthorization(
      { context: requestContext(context) },
      session.extras,
    );
    const notes = await namedSubjectLines(session, subject);
    const domains = await domainsOf(session, explained.policies);
    const policies = explained.policies.map((trace) => ({ ...trace, of: ofDomain(trace.domainId, domains) }));
    return { ...explained, policies, verdict: verdictOf(explained, domains), notes };
  }),

  policies: operation(Domain, async (session, { domain }) => {
    const found = await session.clients.domains.getDomainPolicies(
      await placeOf(session, { domain }),
      session.extras,
    );
    return { text: toYaml(found.policies), version: found.version, count: found.policies.length };
  }),

  /** Every problem of the text, with its line. */
  validate: operation(Edited, async (session, { domain, text }) => {
    const file = await readValidated(session, text);
    return { findings: await findingsOf(session, file, domain), policies: file.policies.length };
  }),

  /** What saving the text would change and, with `since`, what it would have changed for recorded checks. */
  plan: operation(Edited.extend({ since: z.string() }), async (session, { domain, text, since }) => {
    const place = await placeOf(session, { domain });
    const policies = toMessages(readEdited(text).policies);
    const plan = await planPolicies(session, place, policies);
    const replayed =
      since === '' ? null : await replayPolicies(session, place, policies, readSince(since, new Date()));
    const names = await accountNames(session, place.tenantId);
    return {
      summary: planSummary(plan),
      changes: plan.changes.map((change) => ({
        isAdded: change.kind === PlannedKind.ADDED,
        policy: change.policyName,
        words: withAccountNames(change.words, names),
        effect: withAccountNames(effectOf(change), names),
      })),
      unlisted: unlistedChanges(plan),
      replay:
        replayed === null ? [] : replayLines(replayed).map((line) => withAccountNames(line.trim(), names)),
    };
  }),

  /**
   * Writes the set over the version, and returns the text that reading it would; where policies leave it,
   * only with `leave`. Else nothing is written, and `leaves` names them.
   */
  save: operation(
    Edited.extend({ version: z.string(), leave: z.boolean() }),
    async (session, { domain, text, version, leave }) => {
      const file = readEdited(text);
      const policies = toMessages(file.policies);
      const place = await placeOf(session, { domain });
      const expectedVersion = BigInt(readWhole(version, 'version', Number.MAX_SAFE_INTEGER));
      if (!leave) {
        const before = await session.clients.domains.getDomainPolicies(place, session.extras);
        // Over another version nothing is written, whatever leaves.
        const leaves =
          before.version === expectedVersion ? leavesLine(diffPolicies(before.policies, policies)) : null;
        // What the service refuses anyway is not offered to be saved all the same.
        const isOffered =
          leaves !== null && !(await findingsOf(session, file, domain)).some((one) => one.isRefused);
        if (isOffered) return { leaves };
      }
      const saved = await session.clients.domains.putDomainPolicies(
        { ...place, policies, expectedVersion },
        { ...session.extras, timeoutMs: SET_MS_MAX },
      );
      return { version: saved.version, text: toYaml(policies) };
    },
  ),

  /** The tests in the text, run against its policies. */
  test: operation(z.strictObject({ text: z.string() }), async (session, { text }) => {
    const file = readEdited(text);
    const { results } = await session.clients.authorization
      .testPolicies(
        {
          policies: toMessages(file.policies),
          cases: file.tests.map(({ context, expected }) => ({
            context: requestContext(Object.fromEntries(context)),
            expected: expected === 'allow',
          })),
        },
        { ...session.extras, timeoutMs: SET_MS_MAX },
      )
      .catch((error: unknown) => {
        throw withPlaceOfTest(error, file, writePlace);
      });
    return { results: results.map((result, index) => ({ name: file.tests[index]?.name, ...result })) };
  }),

  /** What a subject may do: the resources for an action, or the actions on an object. */
  search: operation(
    Domain.extend({ subject: z.string().min(1), action: z.string(), object: z.string() }),
    async (session, { domain, subject, action, object }) => {
      const { clients, extras } = session;
      if (object !== '') {
        const context = requestContext({ subject, object: await objectOf(session, object, domain) });
        const page = { context, actions: [], pageSize: FOUND_MAX, pageToken: '' };
        const { actions, nextPageToken } = await clients.search.searchActions(page, extras);
        const notes = await searchedSubjectLines(session, subject, actions.length === 0);
        return { found: actions, isAll: nextPageToken === '', notes };
      }
      const { domainId } = await placeOf(session, { domain });
      const context = requestContext({ subject, action });
      const page = { context, domainId, prefix: '', resources: [], pageSize: FOUND_MAX, pageToken: '' };
      const { objects, nextPageToken } = await clients.search.searchResources(page, extras);
      const notes = await searchedSubjectLines(session, subject, objects.length === 0);
      return { found: objects, isAll: nextPageToken === '', notes };
    },
  ),

  audit: operation(
    z.strictObject({ cursor: z.string(), subject: z.string(), refused: z.boolean() }),
    async (session, { cursor, subject, refused }) => {
      const { tenantId } = await placeOf(session, {});
      const [present, places] = await Promise.all([
        accountNames(session, tenantId),
        placeNames(session, tenantId),
      ]);
      const {
        accounts,
        notes = [],
        ...filter
      } = subject === ''
        ? { accounts: present }
        : await auditSubject(session, { tenantId, given: subject }, present, (text) => text);
      const query = {
        tenantId,
        limit: AUDIT_ROWS,
        cursor,
        ...filter,
        ...(refused ? { refused } : {}),
      };
      const page = await session.clients.authorization.listAuditEvents(query, session.extras);
      const names = new Map([...accounts, ...places]);
      const events = page.events.map((row) => ({
        ...row,
        subjectName: nameSubject(row.subject, accounts),
        callerName: nameSubject(row.callerId, accounts),
        objectName: nameObject(row.object, names),
      }));
      return { ...page, events, notes };
    },
  ),

  verify: operation(z.strictObject({}), async (session) => {
    const { tenantId } = await placeOf(session, {});
    return verifyListedChain(session.clients, session.extras, tenantId);
  }),

  usage: operation(z.strictObject({}), async (session) => {
    const { tenantId } = await placeOf(session, {});
    const { controlPlane, dataPlane, lastTokenReset } = await session.clients.tenants.getTenant(
      { id: tenantId },
      session.extras,
    );
    return { controlPlane, dataPlane, lastTokenReset };
  }),
};

const writePlace = (line: number | null, column: number | null) =>
  line === null ? 'the set' : `line ${line}, column ${column}`;
const readEdited = (text: string) => readPolicyText(text, writePlace);

/** Throws what `readEdited` throws, with the problems of the policies that can be read. */
async function readValidated(session: Session, text: string): Promise<PolicyFile> {
  try {
    return readEdited(text);
  } catch (error) {
    throw await withOtherFindings(session, error, writePlace);
  }
}

const SEND_OPTION = /; (?:send `allow_lockout`|add `--allow-lockout`) to do it all the same/;
const ELSEWHERE = '; the console never saves such a set, `platform policies put --allow-lockout` does';

/** What the command says about an address besides that the service is not there. */
const OTHER_ADDRESS = ', or choose another with --address or PLATFORM_ADDRESS';

/** A message for the page, which offers no options. */
export function withoutOptions(message: string): string {
  return message.replace(SEND_OPTION, ELSEWHERE).replace(OTHER_ADDRESS, '');
}

async function findingsOf(session: Session, file: PolicyFile, domain: string) {
  const { errors, warnings } = await validateSet(session, setOf(file), await placeOf(session, { domain }));
  // The console never writes a set after which nobody could manage the tenant.
  return [...errors, ...warnings].map((finding, index) => ({
    ...finding,
    isRefused: index < errors.length || isRefused(finding),
    message: isRefused(finding) ? `${finding.message.replace(SEND_OPTION, '')}${ELSEWHERE}` : finding.words,
  }));
}
