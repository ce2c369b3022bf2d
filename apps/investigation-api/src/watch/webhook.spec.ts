import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createCertificateAuthority, type CertificateAuthority } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { createWebhookHosts, hostProblem } from './webhook-hosts.ts';
import { createWebhookSender, type WebhookSenderOptions } from './webhook.ts';

const NAME = 'receiver.example';
/** Longest that a message may take where the receiver never responds. Milliseconds. */
const SHORT_MS = 200;
let authority: CertificateAuthority;
let stranger: CertificateAuthority;
beforeAll(async () => {
  [authority, stranger] = await Promise.all([
    createCertificateAuthority('trusted'),
    createCertificateAuthority('stranger'),
  ]);
});
afterAll(() => {
  authority.remove();
  stranger.remove();
});
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(server: Server, address: string): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return (server.address() as AddressInfo).port;
}
const startHttp = (listener: RequestListener, address = '127.0.0.1') =>
  listening(createHttpServer(listener), address);
const startHttps = (
  listener: RequestListener,
  { by = authority, name = NAME }: { by?: CertificateAuthority; name?: string } = {},
) => {
  const { cert, key } = by.issue(name);
  return listening(
    createHttpsServer({ cert: readFileSync(cert), key: readFileSync(key) }, listener),
    '127.0.0.1',
  );
};
const taken: RequestListener = (_req, res) => void res.writeHead(204).end();

function send(
  url: string,
  options: Partial<Omit<WebhookSenderOptions, 'hosts'>> & { allowed?: string[]; signal?: AbortSignal } = {},
) {
  const { allowed = ['127.0.0.1'], signal = new AbortController().signal, ...rest } = options;
  const sender = createWebhookSender({ hosts: createWebhookHosts(allowed), timeoutMs: 60_000, ...rest });
  return sender({ url, secret: 'whsec_AAAA', id: 'id', body: '{}', now: new Date(0) }, signal);
}
const trusting = (resolve: WebhookSenderOptions['resolve']) => ({
  allowed: [NAME, '127.0.0.1'],
  ca: readFileSync(authority.ca, 'utf8'),
  resolve,
});
const toLoopback = () => Promise.resolve([{ address: '127.0.0.1' }]);

describe('one attempt to send a webhook', () => {
  it('a receiver that takes the connection and never responds is given up at the time limit', async () => {
    covers('INV-WATCH.4');
    const port = await startHttp(() => undefined);
    expect(await send(`http://127.0.0.1:${port}/`, { timeoutMs: SHORT_MS })).toEqual({
      problem: 'the receiver did not respond in time',
      isFinal: false,
    });
  });

  it('a resolver that never responds is given up at the time limit', async () => {
    covers('INV-WATCH.4');
    const options = trusting(() => new Promise(() => undefined));
    expect(await send(`https://${NAME}/`, { ...options, timeoutMs: SHORT_MS })).toEqual({
      problem: 'the receiver did not respond in time',
      isFinal: false,
    });
  });

  it('a receiver that responds with a body without end has taken the message', async () => {
    covers('INV-WATCH.4');
    const port = await startHttp((_req, res) => {
      const more = setInterval(() => res.write('more'), 1);
      res.writeHead(200).on('close', () => clearInterval(more));
    });
    expect(await send(`http://127.0.0.1:${port}/`)).toBeNull();
  });

  it('a receiver that cuts the connection, or does not listen, is tried again', async () => {
    covers('INV-WATCH.4');
    const port = await startHttp((req) => void req.socket.destroy());
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual({
      problem: 'the receiver was not reached: ECONNRESET',
      isFinal: false,
    });
    const [server] = servers;
    await new Promise((resolve) => server!.close(resolve));
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
      problem: 'the receiver was not reached: ECONNREFUSED',
    });
  });

  it('a certificate of the receiver counts only where a trusted authority issued it for the host', async () => {
    covers('INV-WATCH.7');
    let requests = 0;
    const count: RequestListener = (req, res) => {
      requests += 1;
      taken(req, res);
    };
    const options = trusting(toLoopback);
    const right = await startHttps(count);
    expect(await send(`https://${NAME}:${right}/`, options)).toBeNull();
    expect(requests).toBe(1);
    const foreign = await startHttps(count, { by: stranger });
    expect(await send(`https://${NAME}:${foreign}/`, options)).toMatchObject({
      problem: expect.stringMatching(/^the receiver was not reached: .*(CERT|SIGNATURE)/),
    });
    const misnamed = await startHttps(count, { name: 'another.example' });
    expect(await send(`https://${NAME}:${misnamed}/`, options)).toMatchObject({
      problem: 'the receiver was not reached: ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(requests).toBe(1);
  });

  it('a redirect is a failed attempt, and its target is not asked', async () => {
    covers('INV-WATCH.4');
    let asked = 0;
    const target = await startHttp((req, res) => {
      asked += 1;
      taken(req, res);
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const port = await startHttp((_req, res) => {
        res.writeHead(status, { location: `http://127.0.0.1:${target}/` }).end();
      });
      expect(await send(`http://127.0.0.1:${port}/`)).toEqual({
        problem: `the receiver responded ${status}; redirects are not followed`,
        isFinal: false,
      });
    }
    expect(asked).toBe(0);
  });

  it('a host that changes its address between check and connection is reached at the checked address alone', async () => {
    covers('INV-WATCH.5');
    const port = await startHttps(taken);
    const answers = [[{ address: '127.0.0.1' }], [{ address: '169.254.169.254' }]];
    let looks = 0;
    const options = trusting(() => Promise.resolve(answers[looks++]!));
    // The second address would be connected to by a client that looks the name up once more.
    expect(await send(`https://${NAME}:${port}/`, options)).toBeNull();
    expect(looks).toBe(1);
    // The next message is checked anew.
    expect(await send(`https://${NAME}:${port}/`, options)).toEqual({
      problem: 'the host has an address that webhooks may not go to',
      isFinal: false,
    });
    expect(looks).toBe(2);
  });

  it.each([
    ['private', ['10.0.0.1']],
    ['of the metadata service of clouds', ['169.254.169.254']],
    ['IPv4 written as IPv6', ['::ffff:10.0.0.1']],
    ['local IPv6', ['::1']],
    ['private beside a public one', ['93.184.216.34', '192.168.1.1']],
    ['of no host at all', []],
  ])('a host whose address is %s is not connected to', async (_what, addresses) => {
    covers('INV-WATCH.5');
    const resolve = () => Promise.resolve(addresses.map((address) => ({ address })));
    expect(await send(`https://${NAME}/`, { allowed: [NAME], resolve })).toEqual({
      problem: 'the host has an address that webhooks may not go to',
      isFinal: false,
    });
  });

  it.each([
    [['a.example'], 'https://a.example:8443/', true],
    [['a.example:8443'], 'https://a.example:8443/', true],
    [['a.example:8443'], 'https://a.example/', false],
    [['a.example:443'], 'https://a.example/', true],
    [['a.example:443'], 'https://a.example:6379/', false],
    [['a.example:443', 'a.example:8443'], 'https://a.example:8443/', true],
    [['*.example:443'], 'https://b.a.example:443/', true],
    [['*.example:443'], 'https://a.example:22/', false],
  ])('webhooks to hosts allowed as %j reach the port of %s: %s', (entries, url, expected) => {
    covers('INV-WATCH.14');
    expect(entries.map(hostProblem)).toEqual(entries.map(() => null));
    expect(createWebhookHosts(entries).refusal(url) === null).toBe(expected);
  });

  it.each(['a.example:', 'a.example:x', 'a.example:70000', '10.0.0.1:443', '10.0.0.0/8:443', ':443'])(
    'the entry %s is refused as a host of webhooks',
    (entry) => {
      covers('INV-WATCH.14');
      expect(hostProblem(entry)).toContain(entry);
    },
  );

  it.each(['10.0.0.1:443', '10.0.0.0/8:443', 'fd00::/8:443', '[::1]:443'])(
    'the entry %s is refused with the words that addresses and ranges have no port',
    (entry) => {
      covers('INV-WATCH.14');
      expect(hostProblem(entry)).toMatch(/leave the port out, they are allowed on every port/);
    },
  );

  it('a host that is no longer allowed gets nothing', async () => {
    covers('INV-WATCH.5');
    let asked = 0;
    const port = await startHttp(() => void (asked += 1));
    expect(await send(`http://127.0.0.1:${port}/`, { allowed: ['127.0.0.2'] })).toMatchObject({
      problem: expect.stringContaining('INVESTIGATION_WEBHOOK_HOSTS'),
    });
    expect(asked).toBe(0);
  });

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['9999999', 86_400_000],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 1969 00:00:00 GMT', 0],
    ['soon', 0],
  ])('a receiver that asks for a wait of %s is tried again after %d ms at the earliest', async (text, ms) => {
    covers('INV-WATCH.26');
    const port = await startHttp((_req, res) => void res.writeHead(503, { 'Retry-After': text }).end());
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual({
      problem: 'the receiver responded 503',
      isFinal: false,
      retryAfterMs: ms,
    });
  });

  it('a webhook to port 0 is refused, as an address and as an entry of hosts', () => {
    covers('INV-WATCH.14');
    expect(createWebhookHosts(['127.0.0.1']).refusal('http://127.0.0.1:0/')).toContain(
      'port from 1 to 65535',
    );
    expect(hostProblem('a.example:0')).toContain('a.example:0');
  });

  it('a receiver that returns 410 is not tried again', async () => {
    covers('INV-WATCH.4');
    const port = await startHttp((_req, res) => void res.writeHead(410).end());
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual({
      problem: 'the receiver responded 410',
      isFinal: true,
    });
  });
});
