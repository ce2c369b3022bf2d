import { randomUUID, X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type SecureContextOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectAuthority, openAuthzClients } from '@platform/authz-client';
import {
  ROOT_PASSWORD,
  createCertificateAuthority,
  startBuiltService,
  type BuiltProcess,
  type CertificateAuthority,
} from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { errorText } from '../src/output.ts';
import { exitCodeOf } from '../src/exit-codes.ts';
import { buildProgram } from '../src/program.ts';

const HOST = '127.0.0.1';

describe('TLS', () => {
  let folder: string;
  let ours: CertificateAuthority;
  let foreign: CertificateAuthority;
  let client: { cert: string; key: string };
  let server: { cert: string; key: string };
  /** Asks every client for a certificate. */
  let mutual: BuiltProcess;
  /** A service that asks for no certificate of its clients. */
  let oneWay: BuiltProcess;
  let plain: BuiltProcess;
  const env = { AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tls-'));
    [ours, foreign] = [
      await createCertificateAuthority('our CA'),
      await createCertificateAuthority('foreign CA'),
    ];
    client = ours.issue('client');
    server = ours.issue('server');
    const files = { ...env, AUTHZ_TLS_CERT: server.cert, AUTHZ_TLS_KEY: server.key };
    mutual = await startBuiltService('authz-grpc', { ...files, AUTHZ_TLS_CLIENT_CA: ours.ca });
    oneWay = await startBuiltService('authz-grpc', files);
    plain = await startBuiltService('authz-grpc', env);
  });
  afterAll(async () => {
    for (const service of [mutual, oneWay, plain]) expect(await service.stop()).toBe(0);
    for (const authority of [ours, foreign]) authority.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const grpcOf = (service: BuiltProcess) => `${HOST}:${service.ports['grpc_port']}`;

  async function platform(service: BuiltProcess, args: string[], more: Record<string, string> = {}) {
    const out: string[] = [];
    const terminal = {
      env: {
        PLATFORM_ADDRESS: grpcOf(service),
        PLATFORM_CONFIG: join(folder, 'config.json'),
        PLATFORM_PASSWORD: ROOT_PASSWORD,
        ...more,
      },
      out: (text: string) => void out.push(text),
      setExitCode: () => undefined,
    };
    const failure = await buildProgram(terminal)
      .configureOutput({ writeErr: () => undefined })
      .parseAsync(args, { from: 'user' })
      .then(
        () => null,
        (error: unknown) => error,
      );
    return failure === null
      ? { code: 0, text: out.join('\n') }
      : { code: exitCodeOf(failure), text: errorText(failure, false) };
  }

  /** GET of a REST path: the status and body, or the code of the error. */
  function get(service: BuiltProcess, tls: SecureContextOptions | null): Promise<string> {
    const options = { host: HOST, port: service.ports['http_port'], path: '/.well-known/jwks.json' };
    return new Promise((resolve) => {
      const sent = tls === null ? plainRequest(options) : request({ ...options, ...tls, agent: false });
      sent.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(String(response.statusCode)));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end();
    });
  }

  /** The serial number of the certificate that a port shows now. */
  function serialAt(port: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { port, host: HOST, ca: readFileSync(ours.ca), ALPNProtocols: ['h2', 'http/1.1'] };
      const socket = connect(options, () => {
        resolve(socket.getPeerX509Certificate()?.serialNumber ?? '');
        socket.destroy();
      });
      socket.on('error', reject);
    });
  }

  /** What `authz_tls_certificate_not_after_seconds` says. */
  async function certificateEnd({ ports }: BuiltProcess): Promise<number> {
    const metrics = await (await fetch(`http://${HOST}:${ports['probe_port']}/metrics`)).text();
    return Number(/^authz_tls_certificate_not_after_seconds\{[^}]*\} (\S+)$/m.exec(metrics)?.[1]);
  }

  const trust = () => ['--tls-ca', ours.ca];
  const present = () => [...trust(), '--tls-cert', client.cert, '--tls-key', client.key];

  it('the command line logs in over mutual TLS, and the context keeps the files', async () => {
    covers('AUTHZ-TLS.1', 'AUTHZ-TLS.2');
    const first = await platform(mutual, [...present(), 'login', 'root']);
    expect(first).toEqual({ code: 0, text: 'logged in as root (context default)' });
    const later = await platform(mutual, ['whoami']);
    expect(later).toMatchObject({ code: 0, text: expect.stringMatching(/^root /) });
    const token = 'PLATFORM_TOKEN';
    const saved = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as {
      contexts: { default: { token: string } };
    };
    const given = await platform(mutual, ['whoami'], { [token]: saved.contexts.default.token });
    expect(given.code).toBe(0);
    rmSync(join(folder, 'config.json'));
  });

  it('the files come from the environment too', async () => {
    covers('AUTHZ-TLS.2');
    const files = {
      PLATFORM_TLS_CA: ours.ca,
      PLATFORM_TLS_CERT: client.cert,
      PLATFORM_TLS_KEY: client.key,
    };
    expect((await platform(mutual, ['login', 'root', '--save-as', 'env'], files)).code).toBe(0);
    rmSync(join(folder, 'config.json'));
  });

  it.each([
    [
      'a CA that did not sign it',
      () => oneWay,
      () => ['--tls-ca', foreign.ca],
      /no CA in .* signed its certificate/,
    ],
    [
      'no certificate where one is asked for',
      () => mutual,
      trust,
      /it may ask for a certificate: name yours with --tls-cert/,
    ],
    [
      'a certificate of a foreign CA',
      () => mutual,
      () => {
        const other = foreign.issue('client');
        return [...trust(), '--tls-cert', other.cert, '--tls-key', other.key];
      },
      /it may not accept the certificate in /,
    ],
    [
      'plaintext to a port that speaks TLS',
      () => oneWay,
      () => [],
      /if it speaks TLS, name its CA with --tls-ca/,
    ],
    ['TLS to a port that speaks plaintext', () => plain, trust, /it does not speak TLS: leave out --tls-ca/],
  ] as const)(
    'the command line is refused with %s, and says what to do',
    async (_what, service, args, says) => {
      covers('AUTHZ-TLS.1', 'AUTHZ-TLS.2');
      const { code, text } = await platform(service(), [...args(), 'login', 'root']);
      expect(text).toMatch(says);
      expect(code).toBe(8);
      const doctor = await platform(service(), [...args(), 'doctor']);
      expect(doctor.text).toMatch(says);
    },
  );

  it.each([
    ['one way', () => oneWay, () => trust()],
    ['mutual', () => mutual, () => present()],
  ] as const)(
    'a bundle is fetched over TLS, %s, with the files that the context keeps',
    async (_how, service, args) => {
      covers('AUTHZ-TLS.2');
      const tenant = `tenant-${randomUUID()}`;
      const url = `https://${HOST}:${service().ports['http_port']}`;
      for (const command of [
        [...args(), 'login', 'root'],
        ['tenants', 'create', tenant],
        [...args(), 'login', 'root', '--tenant', tenant],
        ['domains', 'create', 'documents'],
        ['use', '--domain', 'documents'],
      ])
        expect(await platform(service(), command)).toMatchObject({ code: 0 });
      const fetched = await platform(service(), [
        'bundle',
        'fetch',
        join(folder, 'bundle.json'),
        '--url',
        url,
      ]);
      expect(fetched).toMatchObject({ code: 0, text: expect.stringMatching(/^written: /) });
      const plain = url.replace('https:', 'http:');
      expect(
        await platform(service(), ['bundle', 'fetch', join(folder, 'plain.json'), '--url', plain]),
      ).toMatchObject({ text: expect.stringContaining('if it speaks TLS, write https:// in --url') });
      rmSync(join(folder, 'config.json'));
    },
  );

  it.each([
    [['--tls-cert', 'x.pem'], '--tls-cert and --tls-key go together'],
    [['--tls-cert', 'x.pem', '--tls-key', 'x.pem'], '--tls-cert needs --tls-ca'],
    [['--tls-ca', '/nowhere/ca.pem'], 'no such file'],
  ])('the options %j are a mistake in the command line', async (options, says) => {
    covers('AUTHZ-TLS.2');
    const { code, text } = await platform(plain, [...options, 'whoami']);
    expect(text).toContain(says);
    expect(code).toBe(2);
  });

  it('REST takes a client of the right CA alone', async () => {
    covers('AUTHZ-TLS.1');
    const ca = readFileSync(ours.ca);
    const pair = (files: { cert: string; key: string }) => ({
      cert: readFileSync(files.cert),
      key: readFileSync(files.key),
    });
    expect(await get(oneWay, { ca })).toBe('200');
    expect(await get(mutual, { ca, ...pair(client) })).toBe('200');
    expect(await get(oneWay, { ca: readFileSync(foreign.ca) })).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(await get(mutual, { ca })).toMatch(/ECONNRESET|ALERT_CERTIFICATE_REQUIRED/);
    expect(await get(mutual, { ca, ...pair(foreign.issue('client')) })).toMatch(/ECONNRESET|ALERT_/);
    expect(await get(oneWay, null)).toBe('ECONNRESET');
  });

  it('metadata of AuthZEN name https and the address that is listened on, whatever Host a request names', async () => {
    covers('AUTHZ-Z.7');
    const options = {
      host: HOST,
      port: oneWay.ports['http_port'],
      path: '/.well-known/authzen-configuration',
      ca: readFileSync(ours.ca),
      headers: { host: 'evil.example' },
      servername: 'localhost',
      agent: false,
    } as const;
    const body = await new Promise<string>((resolve, reject) => {
      request(options, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve(text));
      })
        .on('error', reject)
        .end();
    });
    const base = `https://${HOST}:${oneWay.ports['http_port']}`;
    expect(JSON.parse(body)).toEqual({
      policy_decision_point: base,
      access_evaluation_endpoint: `${base}/access/v1/evaluation`,
      access_evaluations_endpoint: `${base}/access/v1/evaluations`,
      search_subject_endpoint: `${base}/access/v1/search/subject`,
      search_resource_endpoint: `${base}/access/v1/search/resource`,
      search_action_endpoint: `${base}/access/v1/search/action`,
    });
  });

  it('both servers show a new certificate once the files have it, and not a key without its certificate', async () => {
    covers('AUTHZ-TLS.3');
    const own = { cert: join(folder, 'rotating.crt'), key: join(folder, 'rotating.key') };
    const put = (files: { cert: string; key: string }, parts: readonly ('cert' | 'key')[]) => {
      for (const part of parts) copyFileSync(files[part], own[part]);
      return new X509Certificate(readFileSync(files.cert)).serialNumber;
    };
    const before = put(ours.issue('first'), ['cert', 'key']);
    const lines: string[] = [];
    const service = await startBuiltService(
      'authz-grpc',
      { ...env, AUTHZ_TLS_CERT: own.cert, AUTHZ_TLS_KEY: own.key },
      ({ msg }) => void lines.push(String(msg)),
    );
    const ports = [service.ports['grpc_port']!, service.ports['http_port']!];
    const shown = () => Promise.all(ports.map(serialAt));
    expect(await shown()).toEqual([before, before]);
    const clients = openAuthzClients(grpcOf(service), { tls: { ca: ours.ca } });
    await clients.publicKeys.getPublicKey({});

    const next = ours.issue('second');
    put(next, ['key']);
    await eventually(() => lines).toContainEqual(expect.stringMatching(/^TLS files are not usable/));
    expect(await shown()).toEqual([before, before]);
    const after = put(next, ['cert']);
    await eventually(shown).toEqual([after, after]);
    expect(after).not.toBe(before);
    const { validTo } = new X509Certificate(readFileSync(next.cert));
    expect(await certificateEnd(service)).toBe(Date.parse(validTo) / 1000);
    expect(await certificateEnd(plain)).toBe(0);
    // The open connection keeps working.
    await clients.publicKeys.getPublicKey({});
    clients.close();
    expect(await service.stop()).toBe(0);
  });

  it('a client that gets its certificate later is let in without a restart', async () => {
    covers('AUTHZ-TLS.3');
    const own = { ca: ours.ca, cert: join(folder, 'own.crt'), key: join(folder, 'own.key') };
    const wrong = foreign.issue('client');
    for (const part of ['cert', 'key'] as const) copyFileSync(wrong[part], own[part]);
    const authority = connectAuthority(grpcOf(mutual), { tls: own });
    await expect(authority.ping()).rejects.toThrow();
    for (const part of ['cert', 'key'] as const) copyFileSync(client[part], own[part]);
    const isThere = () =>
      authority.ping().then(
        () => true,
        () => false,
      );
    await eventually(isThere).toBe(true);
    authority.close();
  });

  it('docstore-api and investigation-api ask authz-grpc over mutual TLS', async () => {
    covers('AUTHZ-TLS.2');
    const clients = openAuthzClients(grpcOf(mutual), { tls: { ca: ours.ca, ...client } });
    const { token: root } = await clients.sessions.login({ username: 'root', password: ROOT_PASSWORD });
    const name = `tenant-${randomUUID()}`;
    await clients.tenants.createTenant({ name, description: '' }, { token: root });
    const { token } = await clients.sessions.login({
      username: 'root',
      password: ROOT_PASSWORD,
      tenant: name,
    });
    clients.close();
    for (const [service, prefix, path] of [
      ['docstore-api', 'DOCSTORE', '/v1/key'],
      ['investigation-api', 'INVESTIGATION', '/api/v1/sessions'],
    ] as const) {
      const settings = (ca: string) => ({
        [`${prefix}_AUTHZ_URL`]: grpcOf(mutual),
        [`${prefix}_AUTHZ_TLS_CA`]: ca,
        [`${prefix}_AUTHZ_TLS_CERT`]: client.cert,
        [`${prefix}_AUTHZ_TLS_KEY`]: client.key,
      });
      const ask = async (running: BuiltProcess) =>
        (
          await fetch(`http://${HOST}:${running.ports['port']}${path}`, {
            headers: { authorization: `Bearer ${token}` },
          })
        ).status;
      const trusting = await startBuiltService(service, settings(ours.ca));
      expect(await ask(trusting)).toBe(200);
      await trusting.stop();
      const doubting = await startBuiltService(service, settings(foreign.ca));
      expect(await ask(doubting)).toBe(503);
      await doubting.stop();
    }
  });

  it('a key of another certificate and a CA that is none are bad settings', async () => {
    covers('AUTHZ-TLS.1');
    const garbage = join(folder, 'garbage.pem');
    writeFileSync(garbage, 'no certificate');
    const pair = { AUTHZ_TLS_CERT: server.cert, AUTHZ_TLS_KEY: client.key };
    await expect(startBuiltService('authz-grpc', { ...env, ...pair })).rejects.toThrow(
      /AUTHZ_TLS_CERT: must be a certificate with its key in AUTHZ_TLS_KEY/,
    );
    const ca = { AUTHZ_TLS_CERT: server.cert, AUTHZ_TLS_KEY: server.key, AUTHZ_TLS_CLIENT_CA: garbage };
    await expect(startBuiltService('authz-grpc', { ...env, ...ca })).rejects.toThrow(/AUTHZ_TLS_CLIENT_CA/);
    await expect(startBuiltService('authz-grpc', { ...env, AUTHZ_TLS_CERT: server.cert })).rejects.toThrow(
      /AUTHZ_TLS_KEY: must be set with AUTHZ_TLS_CERT/,
    );
  });
});
