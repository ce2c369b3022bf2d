import { describe, expect, it } from '@jest/globals';
import { openAuthzClients } from '@platform/authz-client';
import methods from '@platform/proto/methods.json' with { type: 'json' };
import { covers } from '@platform/testing/covers';
import { GROUPS, grpcGuide } from './grpc-guide.ts';

describe('the guide to gRPC', () => {
  it('every service of the contract stands in the guide once', () => {
    covers('PLAT-G.7');
    expect(GROUPS.map(([service]) => service).sort()).toEqual(methods.map(({ name }) => name).sort());
  });

  it('every example names a method that the typed client has', () => {
    covers('PLAT-G.7');
    const clients = openAuthzClients('127.0.0.1:1') as unknown as Record<string, Record<string, unknown>>;
    const { groups } = grpcGuide('127.0.0.1:50051', false);
    const absent = groups.flatMap(({ service, client }) =>
      service.methods
        .map(({ name }) => `${client}.${name.charAt(0).toLowerCase()}${name.slice(1)}`)
        .filter((path) => typeof clients[client]?.[path.split('.')[1]!] !== 'function'),
    );
    (clients as unknown as { close(): void }).close();
    expect(absent).toEqual([]);
    expect(groups.flatMap(({ service }) => service.methods).length).toBeGreaterThan(70);
  });
});
