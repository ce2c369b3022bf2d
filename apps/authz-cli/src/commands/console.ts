import type { Command } from 'commander';
import { readLoopback } from '../loopback.ts';
import type { Shell } from '../shell.ts';

/** `console`: a page for people, on this machine alone. */
export function addConsole(program: Command, { talking, out }: Shell): void {
  program
    .command('console')
    .description(
      'serve a page on loopback: try requests, edit and test policies, search, audit and quotas; the credential stays in this process',
    )
    .option('--listen <host:port>', 'where to serve it; port 0 is any free one', '127.0.0.1:0')
    .action(
      talking(async (session, { listen }: { listen: string }) => {
        const address = readLoopback(listen, '--listen');
        // Late: what draws pages is of no use to other commands.
        const { serveConsole } = await import('../console/serve.ts');
        await serveConsole(session, address, out);
      }),
    );
}
