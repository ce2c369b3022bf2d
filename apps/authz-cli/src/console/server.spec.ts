import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { openAuthzClients } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import type { z } from 'zod';
import type { Session } from '../shell.ts';
import { givenOf } from './given.fixture.ts';
import { OPERATIONS } from './operations.ts';
import { createConsoleServer } from './server.ts';

/** Nothing listens on this port. */
const ADDRESS = '127.0.0.1:1';
const DOMAIN = '22222222-2222-4222-8222-222222222222';
const GIVEN = givenOf(DOMAIN);

it('whatever the console asks for, it says in one sentence that the service does not respond', async () => {
  covers('AUTHZ-CON.11');
  const clients = openAuthzClients(ADDRESS);
  const session: Session = {
    clients,
    name: 'default',
    context: { address: ADDRESS, tenant_id: DOMAIN, domain_id: DOMAIN },
    isChosen: false,
    extras: { token: 'token' },
    isJson: true,
    options: new Set<string>(),
  };
  const hosts = new Set<string>();
  const { server, token } = createConsoleServer({ session, files: [], page: '', hosts });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  hosts.add(host);
  const opened = await fetch(`http://${host}/?token=${token}`, { redirect: 'manual' });
  const home = `http://${host}${opened.headers.get('location')}`;
  const headers = {
    'content-type': 'application/json',
    origin: `http://${host}`,
    cookie: opened.headers.get('set-cookie')!.split(';')[0]!,
  };
  const said: Record<string, unknown> = {};
  for (const [name, { input }] of Object.entries(OPERATIONS)) {
    const fields = Object.keys((input as z.ZodObject).shape).map((field) => [field, GIVEN[field] ?? '']);
    const body = JSON.stringify(Object.fromEntries(fields));
    const response = await fetch(`${home}api/${name}`, { method: 'POST', headers, body });
    said[name] = [response.status, ((await response.json()) as { error?: { message: string } }).error];
  }
  server.close();
  clients.close();
  const silent = [502, { message: `no response from ${ADDRESS}; start the service` }];
  expect(said).toEqual(Object.fromEntries(Object.keys(OPERATIONS).map((name) => [name, silent])));
});
