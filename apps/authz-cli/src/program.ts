import { readFileSync } from 'node:fs';
import { openAuthzClients, requestContext, type AuthzClients } from '@platform/authz-client';
import { Command } from 'commander';
import { contextsPath, DEFAULT_ADDRESS, readContexts, writeContexts, type Context } from './contexts.ts';
import { EXIT, NotLoggedIn, UsageError } from './exit-codes.ts';
import { table, toJson } from './output.ts';
import { readPolicyFile, toMessages, toYaml } from './policy-file.ts';

/** The world outside, so that tests can be one. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly setExitCode: (code: number) => void;
}

/** A command's session: clients of the chosen server and the credential to send. */
interface Session {
  readonly clients: AuthzClients;
  readonly context: Context;
  readonly extras: { readonly token: string | undefined };
  readonly isJson: boolean;
}

const EXIT_CODES = `
Exit codes: 0 yes or done; 1 no (denied, invalid, different, failed, broken); 2 wrong usage; 3 not logged in;
4 not permitted; 5 not found; 6 conflict; 7 rate or quota; 8 service away.
Environment: PLATFORM_ADDRESS, PLATFORM_TOKEN, PLATFORM_PASSWORD, PLATFORM_CONFIG.`;

/** The command `platform`. Errors of a command reject `parseAsync`. */
export function buildProgram({ env, out, setExitCode }: Terminal): Command {
  const program = new Command('platform')
    .description('the platform on the command line')
    .option('--address <host:port>', 'gRPC address of the authorization service')
    .option('--context <name>', 'context of the config file to use')
    .option('--json', 'print JSON')
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError()
    // Commander prints what there is to say and throws; how the process ends is the caller's to decide.
    .exitOverride();

  const global = () => program.opts<{ address?: string; context?: string; json?: boolean }>();

  async function readContext(): Promise<{ name: string; context: Context }> {
    const file = await readContexts(contextsPath(env));
    const name = global().context ?? file.current;
    const kept = file.contexts[name];
    if (kept === undefined && global().context !== undefined) throw new UsageError(`no context \`${name}\``);
    const address = global().address ?? env['PLATFORM_ADDRESS'] ?? kept?.address ?? DEFAULT_ADDRESS;
    return { name, context: { ...kept, address } };
  }

  /** Runs a command that talks to the service, and closes the connection after it. */
  function talking<Args extends unknown[]>(run: (session: Session, ...args: Args) => Promise<void>) {
    return async (...args: Args): Promise<void> => {
      const { context } = await readContext();
      const clients = openAuthzClients(context.address);
      const token = env['PLATFORM_TOKEN'] ?? context.token;
      try {
        await run({ clients, context, extras: { token }, isJson: global().json === true }, ...args);
      } finally {
        clients.close();
      }
    };
  }

  function print(session: Session, value: object, text: string): void {
    out(session.isJson ? JSON.stringify(toJson(value)) : text);
  }

  function requireTenant({ context }: Session, given: string | undefined): string {
    const tenantId = given ?? context.tenant_id;
    if (tenantId === undefined)
      throw new UsageError('no tenant: log in with --tenant, or name one with --tenant');
    return tenantId;
  }

  program
    .command('login <username>')
    .description('log in and keep the session in the context')
    .option('--tenant <name>', 'tenant to log in to')
    .option('--duration <seconds>', 'life of the session')
    .option('--save-as <context>', 'name of the context to write')
    .action(async (username: string, options: { tenant?: string; duration?: string; saveAs?: string }) => {
      const path = contextsPath(env);
      const { name, context } = await readContext();
      const password = env['PLATFORM_PASSWORD'] ?? readPassword();
      const clients = openAuthzClients(context.address);
      try {
        const duration =
          options.duration === undefined ? undefined : readWhole(options.duration, '--duration');
        const answer = await clients.sessions.login({ username, password, tenant: options.tenant, duration });
        const file = await readContexts(path);
        const saved = options.saveAs ?? name;
        file.contexts[saved] = {
          address: context.address,
          token: answer.token,
          user_id: answer.userId,
          username,
          ...(answer.tenantId === undefined ? {} : { tenant_id: answer.tenantId }),
        };
        await writeContexts(path, { ...file, current: saved });
        const { token: _secret, ...shown } = answer;
        out(global().json ? JSON.stringify(toJson(shown)) : `logged in as ${username} (context ${saved})`);
      } finally {
        clients.close();
      }
    });

  program
    .command('use <context>')
    .description('make a context the current one')
    .action(async (name: string) => {
      const path = contextsPath(env);
      const file = await readContexts(path);
      if (file.contexts[name] === undefined) throw new UsageError(`no context \`${name}\``);
      await writeContexts(path, { ...file, current: name });
      out(`using ${name}`);
    });

  program
    .command('logout')
    .description('end the session of the context')
    .action(
      talking(async (session) => {
        const { userId } = await whoAmI(session);
        await session.clients.sessions.logout({ userId }, session.extras);
        print(session, { loggedOut: true }, 'logged out');
      }),
    );

  program
    .command('whoami')
    .description('who the credential says you are')
    .action(
      talking(async (session) => {
        const me = await whoAmI(session);
        print(session, me, `${me.username} ${me.userId}${me.tenantId ? ` in tenant ${me.tenantId}` : ''}`);
      }),
    );

  async function whoAmI({ clients, extras }: Session) {
    const found = await clients.sessions.introspectCredential({ credential: extras.token ?? '' });
    if (!found.live) {
      throw new NotLoggedIn('not logged in');
    }
    return {
      username: found.username,
      userId: found.subjectId,
      tenantId: found.tenantId,
      expiresAt: found.expiresAt,
    };
  }

  program
    .command('check <subject> <action> <object> [attributes...]')
    .description('ask for a decision; attributes are key=value, repeated for several values')
    .action(
      talking(async (session, subject: string, action: string, object: string, attributes: string[]) => {
        let checkId = '';
        const { authorized } = await session.clients.authorization.checkAuthorization(
          { context: requestContext(contextOf(subject, action, object, attributes)) },
          {
            ...session.extras,
            onTrailer: (trailer) => (checkId = String(trailer.get('x-check-id')[0] ?? '')),
          },
        );
        print(session, { allowed: authorized, checkId }, authorized ? 'allowed' : 'denied');
        if (!authorized) setExitCode(EXIT.no);
      }),
    );

  program
    .command('explain <subject> <action> <object> [attributes...]')
    .description('why a check is decided as it is')
    .action(
      talking(async (session, subject: string, action: string, object: string, attributes: string[]) => {
        const explained = await session.clients.authorization.explainAuthorization(
          { context: requestContext(contextOf(subject, action, object, attributes)) },
          session.extras,
        );
        const lines = explained.policies.map(({ policyName, deny, inverted, matched, statements }) => {
          const effect = `${deny ? 'deny' : 'allow'}${inverted ? ' inverted' : ''}`;
          const why = statements
            .filter((statement) => !statement.matched)
            .map(({ index, failedRuleKey }) => `statement ${index} fails on \`${failedRuleKey}\``);
          return `${matched ? '●' : '○'} ${policyName} (${effect})${why.length > 0 ? `: ${why.join('; ')}` : ''}`;
        });
        const verdict = explained.authorized ? 'allowed' : 'denied';
        print(
          session,
          explained,
          [verdict, ...lines, ...explained.problems.map((text) => `! ${text}`)].join('\n'),
        );
        if (!explained.authorized) setExitCode(EXIT.no);
      }),
    );

  const policies = program.command('policies').description('the policies of a domain');
  const domainOption = (command: Command) =>
    command.requiredOption('--domain <id>', 'the domain').option('--tenant <id>', 'its tenant');
  interface DomainOptions {
    domain: string;
    tenant?: string;
  }
  const fetchPolicies = (session: Session, options: DomainOptions) =>
    session.clients.domains.getDomainPolicies(
      { tenantId: requireTenant(session, options.tenant), domainId: options.domain },
      session.extras,
    );

  domainOption(policies.command('get').description('print them as a policy file')).action(
    talking(async (session, options: DomainOptions) => {
      const answer = await fetchPolicies(session, options);
      print(session, answer, toYaml(answer.policies).trimEnd());
    }),
  );
  domainOption(policies.command('put <file>').description('replace them all'))
    .option('--expected-version <version>', 'refuse if the domain has another version')
    .action(
      talking(async (session, path: string, options: DomainOptions & { expectedVersion?: string }) => {
        const file = await readPolicyFile(path);
        const { version } = await session.clients.domains.putDomainPolicies(
          {
            tenantId: requireTenant(session, options.tenant),
            domainId: options.domain,
            policies: toMessages(file.policies),
            expectedVersion:
              options.expectedVersion === undefined
                ? undefined
                : BigInt(readWhole(options.expectedVersion, '--expected-version')),
          },
          session.extras,
        );
        print(session, { version }, `${file.policies.length} policies written, version ${version}`);
      }),
    );
  domainOption(policies.command('diff <file>').description('what `put` would change')).action(
    talking(async (session, path: string, options: DomainOptions) => {
      const file = await readPolicyFile(path);
      const byName = (list: ReturnType<typeof toMessages>) =>
        new Map(list.map((one) => [one.name, toYaml([one])]));
      const before = byName((await fetchPolicies(session, options)).policies);
      const after = byName(toMessages(file.policies));
      const added = [...after.keys()].filter((name) => !before.has(name));
      const removed = [...before.keys()].filter((name) => !after.has(name));
      const changed = [...after].filter(([name, text]) => before.has(name) && before.get(name) !== text);
      const names = changed.map(([name]) => name);
      const lines = [
        ...added.map((name) => `+ ${name}`),
        ...removed.map((name) => `- ${name}`),
        ...names.map((name) => `~ ${name}`),
      ];
      print(
        session,
        { added, removed, changed: names },
        lines.length === 0 ? 'no difference' : lines.join('\n'),
      );
      if (lines.length > 0) setExitCode(EXIT.no);
    }),
  );
  policies
    .command('validate <file>')
    .description('what `put` would refuse, and what is probably not meant')
    .action(
      talking(async (session, path: string) => {
        const file = await readPolicyFile(path);
        const found = await session.clients.authorization.validatePolicies(
          { policies: toMessages(file.policies) },
          session.extras,
        );
        const lines = [
          ...found.errors.map(({ policyName, code, message }) => `error ${code} ${policyName}: ${message}`),
          ...found.warnings.map(
            ({ policyName, code, message }) => `warning ${code} ${policyName}: ${message}`,
          ),
        ];
        print(session, found, lines.length === 0 ? 'valid' : lines.join('\n'));
        if (found.errors.length > 0) setExitCode(EXIT.no);
      }),
    );
  policies
    .command('test <file>')
    .description("run the file's tests against its policies")
    .action(
      talking(async (session, path: string) => {
        const file = await readPolicyFile(path);
        const { results } = await session.clients.authorization.testPolicies(
          {
            policies: toMessages(file.policies),
            cases: file.tests.map(({ context, expected }) => ({
              context: requestContext(context),
              expected: expected === 'allow',
            })),
          },
          session.extras,
        );
        const named = results.map((result, index) => ({ name: file.tests[index]?.name ?? '', ...result }));
        const failed = named.filter(({ passed }) => !passed);
        const lines = named.map(({ name, passed, authorized }) =>
          passed ? `ok ${name}` : `FAILED ${name}: ${authorized ? 'allowed' : 'denied'}`,
        );
        print(
          session,
          { results: named },
          [...lines, `${named.length - failed.length} passed, ${failed.length} failed`].join('\n'),
        );
        if (failed.length > 0) setExitCode(EXIT.no);
      }),
    );

  addResources(program, talking, print, requireTenant, env);
  addAudit(program, talking, print, requireTenant, setExitCode);
  return program;
}

type Talking = <Args extends unknown[]>(
  run: (session: Session, ...args: Args) => Promise<void>,
) => (...args: Args) => Promise<void>;
type Print = (session: Session, value: object, text: string) => void;
type RequireTenant = (session: Session, given: string | undefined) => string;

function addResources(
  program: Command,
  talking: Talking,
  print: Print,
  requireTenant: RequireTenant,
  env: NodeJS.ProcessEnv,
): void {
  const tenants = program.command('tenants').description('tenants and their domains');
  tenants.command('list').action(
    talking(async (session) => {
      const answer = await session.clients.tenants.listTenants({}, session.extras);
      print(session, answer, table(answer.tenants, ['id', 'name', 'active', 'description']));
    }),
  );
  tenants
    .command('create <name>')
    .option('--description <text>', 'what it is', '')
    .action(
      talking(async (session, name: string, { description }: { description: string }) => {
        const tenant = await session.clients.tenants.createTenant({ name, description }, session.extras);
        print(session, tenant, `tenant ${tenant.id}, root domain ${tenant.domains[0]?.id ?? ''}`);
      }),
    );
  tenants.command('get <id>').action(
    talking(async (session, id: string) => {
      const tenant = await session.clients.tenants.getTenant({ id }, session.extras);
      print(session, tenant, table(tenant.domains, ['id', 'name', 'active', 'version']));
    }),
  );

  const users = program.command('users').description('users');
  users.command('list').action(
    talking(async (session) => {
      const answer = await session.clients.users.listUsers({}, session.extras);
      print(session, answer, table(answer.users, ['id', 'username', 'email', 'active']));
    }),
  );
  users
    .command('create <username> <email>')
    .description('the password comes from PLATFORM_PASSWORD or standard input')
    .action(
      talking(async (session, username: string, email: string) => {
        const password = env['PLATFORM_PASSWORD'] ?? readPassword();
        const answer = await session.clients.users.createUser({ username, email, password }, session.extras);
        print(session, answer, answer.userId);
      }),
    );

  const accounts = program.command('service-accounts').description('service accounts of a tenant');
  accounts
    .command('list')
    .option('--tenant <id>', 'the tenant')
    .option('--active', 'only active ones')
    .action(
      talking(async (session, options: { tenant?: string; active?: boolean }) => {
        const tenantId = requireTenant(session, options.tenant);
        const answer = await session.clients.serviceAccounts.listServiceAccounts(
          { tenantId, activeOnly: options.active },
          session.extras,
        );
        print(session, answer, table(answer.serviceAccounts, ['id', 'username', 'active', 'api_key_active']));
      }),
    );
  accounts
    .command('create <name>')
    .option('--tenant <id>', 'the tenant')
    .option('--description <text>', 'what it is for', '')
    .option('--days <days>', 'life of its key')
    .action(
      talking(
        async (session, name: string, options: { tenant?: string; description: string; days?: string }) => {
          const answer = await session.clients.serviceAccounts.createServiceAccount(
            {
              name,
              description: options.description,
              tenantId: requireTenant(session, options.tenant),
              expirationDays: options.days === undefined ? undefined : readWhole(options.days, '--days'),
            },
            session.extras,
          );
          print(session, answer, `${answer.username} ${answer.serviceAccountId}\n${answer.token}`);
        },
      ),
    );
  accounts.command('delete <id>').action(
    talking(async (session, id: string) => {
      await session.clients.serviceAccounts.deleteServiceAccount({ id }, session.extras);
      print(session, { deleted: id }, 'deleted');
    }),
  );

  const keys = program.command('api-keys').description('your API keys');
  const owner = ({ context }: Session, given: string | undefined): string => {
    const id = given ?? context.user_id;
    if (id === undefined) throw new UsageError('no user: log in, or name one with --user');
    return id;
  };
  keys
    .command('list')
    .option('--user <id>', 'whose')
    .action(
      talking(async (session, { user }: { user?: string }) => {
        const answer = await session.clients.apiKeys.listApiKeys(
          { userId: owner(session, user) },
          session.extras,
        );
        print(session, answer, table(answer.apiKeys, ['key_id', 'tenant_id', 'created_at', 'expires_at']));
      }),
    );
  keys
    .command('create')
    .option('--user <id>', 'whose')
    .option('--days <days>', 'its life')
    .action(
      talking(async (session, { user, days }: { user?: string; days?: string }) => {
        const answer = await session.clients.apiKeys.createApiKey(
          {
            userId: owner(session, user),
            expirationDays: days === undefined ? undefined : readWhole(days, '--days'),
          },
          session.extras,
        );
        print(session, answer, `${answer.keyId}\n${answer.apiKey}`);
      }),
    );
  keys
    .command('delete <key-id>')
    .option('--user <id>', 'whose')
    .action(
      talking(async (session, keyId: string, { user }: { user?: string }) => {
        await session.clients.apiKeys.deleteApiKey({ userId: owner(session, user), keyId }, session.extras);
        print(session, { deleted: keyId }, 'deleted');
      }),
    );
}

function addAudit(
  program: Command,
  talking: Talking,
  print: Print,
  requireTenant: RequireTenant,
  setExitCode: (code: number) => void,
): void {
  const audit = program.command('audit').description('the record of decisions');
  audit
    .command('tail')
    .option('--tenant <id>', 'the tenant')
    .option('--limit <rows>', 'how many', '20')
    .option('--since <time>', 'only after this time')
    .option('--subject <subject>', 'only of this subject')
    .option('--denied', 'only denials')
    .action(
      talking(
        async (
          session,
          options: { tenant?: string; limit: string; since?: string; subject?: string; denied?: boolean },
        ) => {
          const after = options.since === undefined ? undefined : new Date(options.since);
          if (after !== undefined && Number.isNaN(after.getTime()))
            throw new UsageError('--since is not a time');
          const answer = await session.clients.authorization.listAuditEvents(
            {
              tenantId: requireTenant(session, options.tenant),
              limit: readWhole(options.limit, '--limit'),
              cursor: '',
              after,
              subject: options.subject,
              decision: options.denied ? false : undefined,
            },
            session.extras,
          );
          const columns = ['time', 'decision', 'subject', 'action', 'object', 'matched_policy', 'id'];
          print(session, answer, table(answer.events.toReversed(), columns));
        },
      ),
    );
  audit
    .command('verify')
    .description('recompute the hash chain of a tenant from the rows the service tells')
    .option('--tenant <id>', 'the tenant')
    .action(
      talking(async (session, options: { tenant?: string }) => {
        const { verifyListedChain } = await import('./verify-chain.ts');
        const tenantId = requireTenant(session, options.tenant);
        const report = await verifyListedChain(session.clients, session.extras, tenantId);
        const text = report.broken === null ? 'the chain holds' : `broken at ${report.broken}`;
        print(session, report, `${report.rows} rows: ${text}`);
        if (report.broken !== null) setExitCode(EXIT.no);
      }),
    );
}

function contextOf(
  subject: string,
  action: string,
  object: string,
  attributes: readonly string[],
): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = { subject, action, object };
  for (const attribute of attributes) {
    const at = attribute.indexOf('=');
    if (at < 1) throw new UsageError(`\`${attribute}\` is not key=value`);
    const [key, value] = [attribute.slice(0, at), attribute.slice(at + 1)];
    const before = values[key];
    values[key] = before === undefined ? value : [...(typeof before === 'string' ? [before] : before), value];
  }
  return values;
}

function readWhole(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${name} must be a whole number`);
  return Number(text);
}

/** The first line of standard input: passwords do not belong on the command line, where other users see them. */
function readPassword(): string {
  return readFileSync(0, 'utf8').split('\n', 1)[0] ?? '';
}
