import { verifyListedChain } from '@platform/authz-client';
import { AuditKind, type AuditEvent } from '@platform/proto/authz/v1/authorization';
import { Option, type Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSince, readWhole } from '../arguments.ts';
import { auditSubject } from '../audit-subject.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { accountNames, nameObject, nameSubject, placeNames, tenantOf } from '../names.ts';
import { counted, jsonText, table, visible } from '../output.ts';
import { isUnavailable, type Session, type Shell } from '../shell.ts';

interface TailOptions {
  tenant?: string;
  limit: string;
  since?: string;
  cursor?: string;
  subject?: string;
  denied?: boolean;
  kind?: string;
  operation?: string;
  refused?: boolean;
  system?: boolean;
  follow?: boolean;
  wide?: boolean;
}

const COLUMNS = ['time', 'decision', 'subject', 'action', 'object', 'matched_policy', 'detail', 'id'];
const WIDE_COLUMNS = COLUMNS.toSpliced(3, 0, 'caller_id');
/** Details are JSON, longer than a line of a terminal. */
const TERMINAL_COLUMNS = COLUMNS.filter((column) => column !== 'detail');

/** Pause between two looks for new rows. Milliseconds. */
const FOLLOW_MS = 1_000;

/** Rows of one look; more than one page is fetched by its cursor. */
const PAGE_ROWS = 1_000;

/** `audit tail | verify`. */
export function addAudit(program: Command, shell: Shell): void {
  const { out, note, progress, talking, print, setExitCode } = shell;
  const textOf = (rows: readonly object[], isWide: boolean) => {
    if (isWide) return table(rows, WIDE_COLUMNS);
    return shell.columns === undefined ? table(rows, COLUMNS) : shell.table(rows, TERMINAL_COLUMNS);
  };
  const audit = program.command('audit').description('the record of decisions, changes and logins');
  audit
    .command('tail')
    .description(
      'the latest decisions, changes and logins, oldest first; with --json a page, newest first, or with --follow one event a line, oldest first',
    )
    .option('--tenant <tenant>', 'id or name of the tenant; the current one unless given')
    .option('--limit <rows>', 'how many, at most 1,000', '20')
    .option('--since <time>', 'only after: 7d, 12h, 30m or a time')
    .option(
      '--cursor <cursor>',
      'rows before those of a page, which ends with this (`next_cursor` with --json)',
    )
    .option(
      '--subject <subject>',
      'only of this subject: an id, the name of an account, or a text in quotation marks',
    )
    .addOption(new Option('--kind <kind>', 'only these').choices(Object.keys(KINDS)))
    .option('--operation <name>', 'only this operation, such as PutDomainPolicies')
    .option('--denied', 'only denials: of checks, or with --kind of changes or logins')
    .option('--refused', 'only what was refused with an error')
    .option(
      '--system',
      'what belongs to no tenant: accounts, failed logins, signing keys (for the system root)',
    )
    .option('--wide', 'ids in place of names, who asked, and in a terminal details and one line for each row')
    .option('--follow', 'continue with new rows until interrupted, also after the service was unavailable')
    .action(
      talking(async (session, options: TailOptions) => {
        if (options.follow === true && options.cursor !== undefined)
          throw new UsageError('--follow and --cursor do not go together: new rows are not older ones');
        const after = options.since === undefined ? undefined : readSince(options.since, new Date());
        const limit = readWhole(options.limit, '--limit', PAGE_ROWS, 1);
        if (options.denied === true && options.refused === true)
          throw new UsageError(
            '--denied and --refused do not go together: a check is either denied or refused',
          );
        const kind = options.kind ?? (options.denied === true ? 'check' : undefined);
        const tenantId = await chainOf(session, options);
        const isWide = options.wide === true || session.isJson;
        const { subject: given } = options;
        const present = isWide && given === undefined ? new Map() : await accountNames(session, tenantId);
        const {
          subject,
          accounts,
          notes = [],
        } = given === undefined
          ? { subject: given, accounts: present }
          : await auditSubject(session, { tenantId, given }, present, SUBJECT_OPTION);
        const query = {
          tenantId,
          subject,
          decision: options.denied ? false : undefined,
          kind: kind === undefined ? undefined : KINDS[kind],
          operation: options.operation,
          // What was refused of a check is an error, and of a change or a login a denial.
          refused: options.denied === true && kind === 'check' ? false : options.refused,
        };
        const page = await session.clients.authorization.listAuditEvents(
          { ...query, limit, cursor: options.cursor ?? '', after },
          session.extras,
        );
        if (page.events.length === 0 && options.operation !== undefined)
          requireOperation(session, options.operation);
        const rows = page.events.toReversed();
        const names = isWide ? new Map() : new Map([...accounts, ...(await placeNames(session, tenantId))]);
        const subjects = isWide ? new Map() : accounts;
        for (const line of notes) note?.(line);
        // Who asks for no range gets the latest rows, as they asked.
        const isRange = options.since !== undefined || options.cursor !== undefined || limit === PAGE_ROWS;
        // A cursor belongs to the same filters, and `7d` is another time now.
        const since = after === undefined ? '' : `--since ${after.toISOString()} `;
        if (isRange && page.nextCursor !== '' && options.follow !== true)
          note?.(`older rows are not shown: ${since}--cursor ${page.nextCursor} reads them`);
        if (options.follow === true && session.isJson) for (const row of rows) out(jsonText(row));
        else
          print(
            session,
            page,
            textOf(
              rows.map((row) => shown(row, names, subjects)),
              isWide,
            ),
          );
        if (options.follow !== true) return;
        let last = rows.at(-1)?.sequence ?? 0n;
        let isUnavailableNow = false;
        for (;;) {
          await sleep(FOLLOW_MS);
          const next = await eventsBehind(session, query, last).catch((error: unknown) => {
            if (!isUnavailable(error)) throw error;
            return null;
          });
          if (isUnavailableNow !== (next === null)) {
            isUnavailableNow = next === null;
            note?.(
              isUnavailableNow
                ? `no response from ${session.context.address}: trying again every second`
                : `${session.context.address} responds again`,
            );
          }
          if (next === null) continue;
          for (const event of next)
            out(
              session.isJson ? jsonText(event) : withoutHead(textOf([shown(event, names, subjects)], isWide)),
            );
          last = next.at(-1)?.sequence ?? last;
        }
      }),
    );
  audit
    .command('verify')
    .description('recompute the hash chain of a tenant from the rows of the service')
    .option('--tenant <tenant>', 'id or name of the tenant; the current one unless given')
    .option('--system', 'the chain of what belongs to no tenant')
    .action(
      talking(async (session, options: { tenant?: string; system?: boolean }) => {
        const tenantId = await chainOf(session, options);
        const report = await verifyListedChain(session.clients, session.extras, tenantId, (rows) =>
          progress?.(`${counted(rows, 'row')} recomputed`),
        ).finally(() => progress?.(''));
        const text = report.broken === null ? 'the chain holds' : `broken at ${report.broken}`;
        print(session, report, `${counted(report.rows, 'row')}: ${text}`);
        if (report.broken !== null) setExitCode(EXIT.no);
      }),
    );
}

/** The option as it is typed in a shell. */
const SUBJECT_OPTION = (text: string) => `--subject '${text}'`;

const KINDS: Readonly<Record<string, AuditKind>> = {
  check: AuditKind.CHECK,
  change: AuditKind.CHANGE,
  login: AuditKind.LOGIN,
};

/** Operations of OAuth, which rows name although no call of gRPC has their names. */
const OAUTH_OPERATIONS = ['AuthorizeClient', 'IssueClientTokens', 'RevokeClientToken'];
/** Names that are suggested. */
const SUGGESTED_MAX = 3;

/** Throws UsageError for an operation that rows never name, with those whose names have a word of it. */
function requireOperation({ clients }: Session, given: string): void {
  const calls = Object.values(clients).flatMap((client) => Object.keys(client as object));
  const names = [...calls.map((name) => `${name[0]!.toUpperCase()}${name.slice(1)}`), ...OAUTH_OPERATIONS];
  if (names.includes(given)) return;
  const wordsOf = (name: string) =>
    name.match(/[A-Z][a-z]+|[a-z]+/g)?.map((word) => word.toLowerCase()) ?? [];
  const words = wordsOf(given);
  const shared = (name: string) => wordsOf(name).filter((word) => words.includes(word)).length;
  const near = names.filter((name) => shared(name) > 0).sort((a, b) => shared(b) - shared(a));
  const suggested = (near.length > 0 ? near : ['PutDomainPolicies', 'Login']).slice(0, SUGGESTED_MAX);
  throw new UsageError(
    `no operation \`${visible(given)}\`: names are those of the API, such as ${suggested.join(', ')}`,
  );
}

/** The tenant whose rows are meant; empty for those of none. */
async function chainOf(session: Session, options: { tenant?: string; system?: boolean }): Promise<string> {
  return options.system === true ? '' : tenantOf(session, options.tenant);
}

/** A row with its decision in the words of `check`, and what was done or refused in the same place. */
function shown(
  { decision, ...event }: AuditEvent,
  names: ReadonlyMap<string, string>,
  accounts: ReadonlyMap<string, string>,
) {
  const subject = nameSubject(event.subject, accounts);
  // The object of a check stays as it is: a user may ask again about it.
  const object = event.operation === '' ? event.object : nameObject(event.object, names);
  return { ...event, subject, object, decision: outcomeOf(event, decision) };
}

function outcomeOf(
  { outcome, operation }: Pick<AuditEvent, 'outcome' | 'operation'>,
  decision: boolean,
): string {
  if (outcome !== '') return `refused: ${outcome}`;
  if (operation !== '') return 'done';
  return decision ? 'allowed' : 'denied';
}

/** The lines of a table below its head; rows that stand one below the other have none. */
function withoutHead(text: string): string {
  return text.startsWith('TIME') ? text.slice(text.indexOf('\n') + 1) : text;
}

/** The rows with a higher sequence, oldest first. */
async function eventsBehind(
  { clients, extras }: Session,
  query: Omit<Parameters<Session['clients']['authorization']['listAuditEvents']>[0], 'limit' | 'cursor'>,
  sequence: bigint,
): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  let cursor = '';
  do {
    const page = await clients.authorization.listAuditEvents({ ...query, limit: PAGE_ROWS, cursor }, extras);
    const fresh = page.events.filter((event) => event.sequence > sequence);
    found.push(...fresh);
    cursor = fresh.length < page.events.length ? '' : page.nextCursor;
  } while (cursor !== '');
  return found.toReversed();
}
