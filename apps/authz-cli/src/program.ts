import { Argument, Command } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { addApiKeys } from './commands/api-keys.ts';
import { addAudit } from './commands/audit.ts';
import { addBundle } from './commands/bundle.ts';
import { addConsole } from './commands/console.ts';
import { addDecisions } from './commands/decisions.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDomains } from './commands/domains.ts';
import { addMcpGuard } from './commands/mcp-guard.ts';
import { addMembers } from './commands/members.ts';
import { addPolicies } from './commands/policies.ts';
import { addPrograms } from './commands/programs.ts';
import { addSearch } from './commands/search.ts';
import { addServiceAccounts } from './commands/service-accounts.ts';
import { addSessions } from './commands/sessions.ts';
import { addSigningKeys } from './commands/signing-keys.ts';
import { addTenants } from './commands/tenants.ts';
import { addUsers } from './commands/users.ts';
import { completionScript, SHELLS } from './completion.ts';
import { createShell, type Terminal } from './shell.ts';

const EXIT_CODES = `
Exit codes: 0 yes or done; 1 no (denied, invalid, different, failed, broken); 2 wrong usage; 3 not logged in;
4 not permitted; 5 not found; 6 conflict; 7 rate or quota; 8 service unavailable;
130 Ctrl-C at a question.
Current domain: that of the context, also with PLATFORM_TOKEN where the context is of the token's tenant at this
address; else the root domain of the token's tenant. \`platform doctor\` names it.
Environment: PLATFORM_ADDRESS, PLATFORM_URL, PLATFORM_TLS_CA, PLATFORM_TLS_CERT, PLATFORM_TLS_KEY, PLATFORM_TOKEN, PLATFORM_PASSWORD, PLATFORM_CONFIG.`;

/**
 * The command `platform`, its groups in the order in which the help names them. Errors reject `parseAsync`.
 */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('platform')
    .description('the platform on the command line')
    .version(packageFile.version, '--version', 'print the version')
    .option('--address <host:port>', 'gRPC address of the authorization service')
    .option('--tls-ca <file>', 'talk TLS to a service whose certificate a CA of this PEM file signed')
    .option('--tls-cert <file>', 'your own certificate, for a service that asks for one')
    .option('--tls-key <file>', 'its private key')
    .option('--context <name>', 'context of the config file to use')
    .option('--json', 'print JSON')
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('Add --help for the options and arguments.')
    // Commander prints what there is to say and throws; how the process ends is the caller's to decide.
    .exitOverride();
  const shell = createShell(program, terminal);
  for (const add of [
    addSessions,
    addDecisions,
    addSearch,
    addBundle,
    addPolicies,
    addTenants,
    addDomains,
    addMembers,
    addUsers,
    addServiceAccounts,
    addApiKeys,
    addPrograms,
    addAudit,
    addConsole,
    addMcpGuard,
    addSigningKeys,
    addDoctor,
  ]) {
    add(program, shell);
  }
  program
    .command('completion')
    .description('print the script that completes commands in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shellName: (typeof SHELLS)[number]) =>
      terminal.out(completionScript(program, shellName).trimEnd()),
    );
  return program;
}
