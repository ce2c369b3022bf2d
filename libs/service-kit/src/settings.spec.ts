import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  booleanSetting,
  integerSetting,
  portSetting,
  printSettings,
  readSettings,
  secret,
  settingsTable,
} from './index.ts';

const schema = z.object({
  T_PORT: portSetting().default(8080).describe('Port.'),
  T_SECRET: secret(z.string().min(4).describe('Key.')),
  T_FLAG: booleanSetting().default(false).describe('Switch.'),
  T_SIZE: integerSetting({ min: 1, max: 10 }).optional().describe('Size.'),
});

describe('settings', () => {
  it('are typed, with defaults; an empty variable is an unset one', () => {
    expect(
      readSettings(schema, { T_PORT: '', T_SECRET: 'hush!', T_FLAG: 'true', T_SIZE: '10', OTHER: 'x' }),
    ).toEqual({
      T_PORT: 8080,
      T_SECRET: 'hush!',
      T_FLAG: true,
      T_SIZE: 10,
    });
  });

  it('name every bad variable at once and show no value', () => {
    const read = () => readSettings(schema, { T_PORT: '70000', T_FLAG: 'yes', T_SIZE: '1e1' });
    expect(read).toThrow(
      'T_PORT: must be at most 65535\nT_SECRET: must be set\nT_FLAG: must be true, 1, false or 0\nT_SIZE: must be a whole number',
    );
    expect(() => readSettings(schema, { T_SECRET: 'abc' })).not.toThrow(/abc/);
  });

  it('are printed with secrets masked', () => {
    const settings = readSettings(schema, { T_SECRET: 'hush!' });
    expect(printSettings(schema, settings)).toBe('T_PORT=8080\nT_SECRET=[secret]\nT_FLAG=false\nT_SIZE=\n');
  });

  it('make the table of the README', () => {
    expect(settingsTable(schema)).toBe(
      '| Variable | Default | What |\n| --- | --- | --- |\n| `T_PORT` | `8080` | Port. |\n' +
        '| `T_SECRET` | required | Key. |\n| `T_FLAG` | `false` | Switch. |\n| `T_SIZE` |  | Size. |\n',
    );
  });
});
