import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { covers } from '@platform/testing/covers';
import { booleanSetting, defineConfig, integerSetting, portSetting, secret } from './index.ts';

const CONFIG = defineConfig({
  prefix: 'T',
  settings: {
    DATABASE_URL: z.string().optional().describe('Database.'),
    T_HTTP_PORT: portSetting().default(8080).describe('Port.'),
    T_SECRET: secret(z.string().min(4).describe('Key.')),
    T_FLAG: booleanSetting().default(false).describe('Switch.'),
    T_SIZE: integerSetting({ min: 1, max: 10 }).optional().describe('Size.'),
  },
  otherNames: ['T_TOKEN'],
  contradictions: ({ flag, size }) => (flag && size === 1 ? ['T_SIZE: must be over 1 with T_FLAG'] : []),
});

describe('a configuration', () => {
  it('a configuration has typed camelCase fields with defaults, and an empty variable counts as unset', async () => {
    const env = {
      T_HTTP_PORT: '',
      T_SECRET: 'hush!',
      T_FLAG: 'true',
      T_SIZE: '10',
      OTHER: 'x',
      T_TOKEN: 'y',
    };
    const config = await CONFIG.load(env);
    const port: number = config.httpPort;
    expect([port, config]).toEqual([
      8080,
      { databaseUrl: undefined, httpPort: 8080, secret: 'hush!', flag: true, size: 10 },
    ]);
  });

  it('a configuration is refused with every bad variable named at once and no value shown', async () => {
    covers('PLAT-C.2');
    const env = { T_HTTP_PORT: '70000', T_FLAG: 'yes', T_SIZE: '1e1' };
    await expect(CONFIG.load(env)).rejects.toThrow(
      'T_HTTP_PORT: must be at most 65535\nT_SECRET: must be set\nT_FLAG: must be true, 1, false or 0\nT_SIZE: must be a whole number',
    );
    await expect(CONFIG.load({ T_SECRET: 'abc' })).rejects.not.toThrow(/abc/);
  });

  it('a configuration is refused for an unknown variable with its prefix, and names the setting that was probably meant', async () => {
    covers('PLAT-C.1');
    const env = { T_SECRET: 'hush!', T_HTTP_PROT: '1', T_SOMETHING_ELSE_ENTIRELY: '1' };
    await expect(CONFIG.load(env)).rejects.toThrow(
      'T_HTTP_PROT: is not a setting; did you mean T_HTTP_PORT?\nT_SOMETHING_ELSE_ENTIRELY: is not a setting',
    );
    await expect(CONFIG.load({ T_HTTP_PROT: '1' })).rejects.toThrow(
      'T_SECRET: must be set\nT_HTTP_PROT: is not a setting; did you mean T_HTTP_PORT?',
    );
  });

  it('a configuration is not refused for the variables of a Kubernetes Service that is named like the prefix', async () => {
    const env = {
      T_SECRET: 'hush!',
      T_SERVICE_HOST: '10.0.0.1',
      T_SERVICE_PORT: '80',
      T_SERVICE_PORT_GRPC: '80',
      T_PORT: 'tcp://10.0.0.1:80',
      T_PORT_80_TCP: 'tcp://10.0.0.1:80',
      T_PORT_80_TCP_ADDR: '10.0.0.1',
    };
    await expect(CONFIG.load(env)).resolves.toMatchObject({ secret: 'hush!' });
  });

  it('a configuration is refused for settings that contradict one another, unless a command runs alone', async () => {
    const env = { T_SECRET: 'hush!', T_FLAG: '1', T_SIZE: '1' };
    await expect(CONFIG.load(env)).rejects.toThrow('T_SIZE: must be over 1 with T_FLAG');
    await expect(CONFIG.load(env, { alone: true })).resolves.toMatchObject({ size: 1 });
  });

  it('a configuration names contradictions besides settings that are bad themselves', async () => {
    const env = { T_SECRET: 'x', T_FLAG: '1', T_SIZE: '1' };
    await expect(CONFIG.load(env)).rejects.toThrow(/^T_SECRET: .+\nT_SIZE: must be over 1 with T_FLAG$/);
  });

  it('a configuration prints values as given or by default, with secrets masked', () => {
    expect(CONFIG.print({ T_SECRET: 'hush!', T_FLAG: '1' })).toBe(
      'DATABASE_URL=\nT_HTTP_PORT=8080\nT_SECRET=[secret]\nT_FLAG=1\nT_SIZE=\n',
    );
  });

  it('a configuration renders the table of the README', () => {
    expect(CONFIG.table()).toBe(
      '| Variable | Default | What |\n| --- | --- | --- |\n| `DATABASE_URL` |  | Database. |\n' +
        '| `T_HTTP_PORT` | `8080` | Port. |\n| `T_SECRET` | required | Key. |\n' +
        '| `T_FLAG` | `false` | Switch. |\n| `T_SIZE` |  | Size. |\n',
    );
  });
});
