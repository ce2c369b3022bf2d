import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterEach, expect, it } from '@jest/globals';
import { IntrospectCredentialResponse, SessionServiceService } from '@platform/proto/authz/v1/session';
import { User, UserServiceService } from '@platform/proto/authz/v1/user';
import {
  CreateEmailVerificationTokenResponse,
  VerificationServiceService,
} from '@platform/proto/authz/v1/verification';
import { covers } from '@platform/testing/covers';
import { buildProgram } from './program.ts';

const SELF = '3d0e1a2b-0000-4000-8000-0000000000ab';
const OTHER = '3d0e1a2b-0000-4000-8000-0000000000cd';

let server: Server;
afterEach(() => server.forceShutdown());

/** What the command prints, and its error, for a credential of `username`. */
async function run(line: string[], username = 'alice') {
  const respond = (value: object) => (_call: unknown, done: (error: null, value: object) => void) =>
    done(null, value);
  server = new Server();
  server.addService(SessionServiceService, {
    introspectCredential: respond(
      IntrospectCredentialResponse.fromPartial({ live: true, subjectId: SELF, username }),
    ),
  });
  server.addService(UserServiceService, {
    getUser: respond(User.fromPartial({ id: OTHER })),
    updateUser: respond(User.fromPartial({})),
  });
  server.addService(VerificationServiceService, {
    createEmailVerificationToken: respond(CreateEmailVerificationTokenResponse.fromPartial({ token: 't' })),
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const env = {
    PLATFORM_ADDRESS: `127.0.0.1:${port}`,
    PLATFORM_TOKEN: 't',
    PLATFORM_PASSWORD: 'horse',
    PLATFORM_NEW_PASSWORD: 'correct horse battery staple',
    PLATFORM_CONFIG: '/nonexistent/x',
  };
  const out: string[] = [];
  const error: unknown = await buildProgram({
    env,
    out: (text) => void out.push(text),
    setExitCode: () => undefined,
  })
    .parseAsync(line, { from: 'user' })
    .catch((caught: unknown) => caught);
  return { out: out.join('\n'), error };
}

it.each([
  [[], 'password set; the other sessions and all API keys of the user have ended'],
  [['--keep-api-keys'], 'password set; the other sessions of the user have ended, their API keys have not'],
  [[OTHER], 'password set; the sessions and all API keys of the user have ended'],
])('users set-password %j says which sessions and keys have ended', async (options, sentence) => {
  covers('AUTHZ-CLI.35');
  expect((await run(['users', 'set-password', ...options])).out).toBe(sentence);
});

it('users get of a service account says that it is not a user', async () => {
  covers('AUTHZ-CLI.36');
  expect((await run(['users', 'get'], 'svc:acme/ci')).error).toMatchObject({
    message: '`svc:acme/ci` is a service account and not a user: `platform whoami` shows it',
  });
});
