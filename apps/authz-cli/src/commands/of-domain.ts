import type { Command } from 'commander';

/** By which options a command is told its domain. */
export interface DomainOptions {
  domain?: string;
  tenant?: string;
}

/** The command with the options that name a domain. */
export function ofDomain(command: Command): Command {
  return command
    .option('--domain <domain>', 'id or name of the domain; the current one unless given')
    .option('--tenant <tenant>', 'id or name of its tenant; the current one unless given');
}
