import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy } from './service.fixture.ts';

const fleet = useFleet('postgres');
let token: string;
beforeAll(async () => {
  ({ token } = await createTenancy(fleet.clients));
});

/** Everything that the server sends before it closes a connection on which half a request was sent. */
function responseTo(path: string, length: string, body: string, drip = ''): Promise<string> {
  const { hostname, port } = new URL(fleet.httpUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const dripping = setInterval(() => socket.write(drip), 1_000);
    let response = '';
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.once('close', () => {
      clearInterval(dripping);
      resolve(response);
    });
    // A byte that meets the closed connection resets it; what came before counts.
    socket.once('error', () => {});
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      length,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

const PATHS = [
  '/v1/authz/check',
  '/v1/authz/check:batch',
  '/v1/auth/token',
  '/access/v1/evaluation',
  '/access/v1/evaluations',
];

describe('requests of which only a part arrives', () => {
  it('a body that does not arrive, or a byte at a time, is refused with 408 on every route', async () => {
    covers('PLAT-F.3');
    const responses = await Promise.all(
      PATHS.flatMap((path) => [
        responseTo(path, 'Content-Length: 100', '{"context":'),
        responseTo(path, 'Transfer-Encoding: chunked', '5\r\n{"con\r\n'),
        responseTo(path, 'Content-Length: 1000', '{', ' '),
      ]),
    );
    expect(responses.map((response) => response.split('\r\n', 1)[0])).toEqual(
      responses.map(() => 'HTTP/1.1 408 Request Timeout'),
    );
    for (const response of responses) expect(response).toContain('did not arrive in time');
  });
});
