import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { afterEach, expect, it } from '@jest/globals';
import {
  AuditEvent,
  AuthorizationServiceService,
  ListAuditEventsResponse,
} from '@platform/proto/authz/v1/authorization';
import { covers } from '@platform/testing/covers';
import { buildProgram } from './program.ts';

const TENANT = '3d0e1a2b-0000-4000-8000-0000000000ab';

let server: Server | undefined;
afterEach(() => server?.forceShutdown());

const row = (sequence: bigint, object: string) => AuditEvent.fromPartial({ sequence, object });
const page = (...events: AuditEvent[]) => ListAuditEventsResponse.fromPartial({ events });

/** What a follower says when the service gives these responses in turn; a number is a refusal. */
async function follow(responses: (object | number)[], options: string[] = ['--wide']) {
  server = new Server();
  server.addService(AuthorizationServiceService, {
    listAuditEvents: (_call: unknown, done: (error: object | null, value?: object) => void) => {
      const response = responses.shift() ?? status.UNAUTHENTICATED;
      if (typeof response === 'number') done({ code: response, details: 'refused' });
      else done(null, response);
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server?.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const env = {
    PLATFORM_ADDRESS: `127.0.0.1:${port}`,
    PLATFORM_TOKEN: 't',
    PLATFORM_CONFIG: '/nonexistent/x',
  };
  const [out, notes]: [string[], string[]] = [[], []];
  const end: unknown = await buildProgram({
    env,
    out: (text) => void out.push(text),
    note: (text) => void notes.push(text.replace(/127[\d.]+:\d+/, 'ADDRESS')),
    setExitCode: () => undefined,
  })
    .parseAsync(['audit', 'tail', '--tenant', TENANT, '--follow', ...options], { from: 'user' })
    .catch((error: unknown) => error);
  return { out, notes, end };
}

it('a follower of the audit tries again while the service is unavailable, says so, and misses no row', async () => {
  covers('AUTHZ-CLI.11');
  const { out, notes, end } = await follow([
    page(row(1n, 'first')),
    status.UNAVAILABLE,
    status.UNAVAILABLE,
    page(row(2n, 'second'), row(1n, 'first')),
    status.PERMISSION_DENIED,
  ]);
  expect(out.map((text) => /first|second/.exec(text)?.[0])).toEqual(['first', 'second']);
  expect(notes).toEqual(['no response from ADDRESS: trying again every second', 'ADDRESS responds again']);
  // Errors that a retry cannot fix end the command.
  expect(end).toMatchObject({ code: status.PERMISSION_DENIED });
});

it('a follower of the audit prints each row as JSON on a line of its own, oldest first, from the start', async () => {
  covers('AUTHZ-CLI.31');
  const { out } = await follow(
    [
      page(row(2n, 'second'), row(1n, 'first')),
      page(row(3n, 'third'), row(2n, 'second')),
      status.PERMISSION_DENIED,
    ],
    ['--json'],
  );
  expect(out.map((line) => (JSON.parse(line) as { object: string }).object)).toEqual([
    'first',
    'second',
    'third',
  ]);
});

it('an operation that there is none of is an error with names like it', async () => {
  covers('AUTHZ-CLI.34');
  const asked = (operation: string) => follow([page()], ['--operation', operation]);
  expect((await asked('PutPolicies')).end).toMatchObject({
    message: expect.stringMatching(/^no operation `PutPolicies`: .* such as .*PutDomainPolicies/),
  });
  expect((await asked('Nope')).end).toMatchObject({ message: expect.stringContaining('`Nope`') });
  for (const known of ['PutDomainPolicies', 'RevokeClientToken'])
    expect((await asked(known)).end).toMatchObject({ code: status.UNAUTHENTICATED });
});
