import { verifyListedChain } from '@platform/authz-client';
import type { Command } from 'commander';
import { readWhole } from '../arguments.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { table } from '../output.ts';
import { requireTenant, type Shell } from '../shell.ts';

/** `audit tail | verify`. */
export function addAudit(program: Command, { talking, print, setExitCode }: Shell): void {
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
        const tenantId = requireTenant(session, options.tenant);
        const report = await verifyListedChain(session.clients, session.extras, tenantId);
        const text = report.broken === null ? 'the chain holds' : `broken at ${report.broken}`;
        print(session, report, `${report.rows} rows: ${text}`);
        if (report.broken !== null) setExitCode(EXIT.no);
      }),
    );
}
