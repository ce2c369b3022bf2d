import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { spawnSync } from 'node:child_process';

const BOUNDARY = '@nx/enforce-module-boundaries';

interface Case {
  story: string;
  file: string;
  text: string;
  rule: string | null;
}

/** Every arrow of docs/decisions/0001-layers-and-tags.md, broken once, and what must stay allowed. */
const CASES: Case[] = [
  {
    story: 'the engine may not import a package',
    file: 'libs/opinion-fusion/src/verdict/verdict.ts',
    text: `import { z } from 'zod'; export const x = z;`,
    rule: BOUNDARY,
  },
  {
    story: 'the engine may not import a node module',
    file: 'libs/opinion-fusion/src/verdict/verdict.ts',
    text: `import { readFileSync } from 'node:fs'; export const x = readFileSync;`,
    rule: 'no-restricted-imports',
  },
  {
    story: 'the engine may import subjective logic',
    file: 'libs/opinion-fusion/src/verdict/verdict.ts',
    text: `import { BASE_RATE } from '@platform/subjective-logic'; export const x = BASE_RATE;`,
    rule: null,
  },
  {
    story: 'argumentation may not import subjective logic',
    file: 'libs/argumentation/src/grounded.ts',
    text: `import { BASE_RATE } from '@platform/subjective-logic'; export const x = BASE_RATE;`,
    rule: 'no-restricted-imports',
  },
  {
    story: 'subjective logic may not import a package',
    file: 'libs/subjective-logic/src/opinion.ts',
    text: `import { z } from 'zod'; export const x = z;`,
    rule: BOUNDARY,
  },
  {
    story: 'a test of the engine may import a package',
    file: 'libs/opinion-fusion/src/verdict/verdict.spec.ts',
    text: `import fc from 'fast-check'; export const x = fc;`,
    rule: null,
  },
  {
    story: 'a library may not import Express',
    file: 'libs/jwt/src/keys.ts',
    text: `import express from 'express'; export const x = express;`,
    rule: BOUNDARY,
  },
  {
    story: 'service-kit may import Express',
    file: 'libs/service-kit/src/errors.ts',
    text: `import express from 'express'; export const x = express;`,
    rule: null,
  },
  {
    story: 'a library may not import a database',
    file: 'libs/service-kit/src/errors.ts',
    text: `import pg from 'pg'; export const x = pg;`,
    rule: BOUNDARY,
  },
  {
    story: 'an app may not import another app',
    file: 'apps/investigation-api/src/main.ts',
    text: `import { x } from '../../docstore-api/src/rules/etag.ts'; export const y = x;`,
    rule: BOUNDARY,
  },
  {
    story: 'a library may not import an app',
    file: 'libs/jwt/src/keys.ts',
    text: `import { x } from '../../../apps/authz-grpc/src/config.ts'; export const y = x;`,
    rule: BOUNDARY,
  },
  {
    story: 'production code may not import the testing library',
    file: 'apps/investigation-api/src/main.ts',
    text: `import { startRedis } from '@platform/testing'; export const x = startRedis;`,
    rule: BOUNDARY,
  },
  {
    story: 'a test may import the testing library',
    file: 'apps/investigation-api/src/config.spec.ts',
    text: `import { startRedis } from '@platform/testing'; export const x = startRedis;`,
    rule: null,
  },
  {
    story: 'an operation may not import a transport',
    file: 'apps/investigation-api/src/operations/submit-investigation.ts',
    text: `import { x } from '../http/routes.ts'; export const y = x;`,
    rule: 'no-restricted-imports',
  },
  {
    story: 'an operation may not import Express',
    file: 'apps/investigation-api/src/operations/submit-investigation.ts',
    text: `import type { Request } from 'express'; export type X = Request;`,
    rule: 'no-restricted-imports',
  },
  {
    story: 'a transport may not import a database',
    file: 'apps/investigation-api/src/http/routes.ts',
    text: `import { x } from '@platform/database'; export const y = x;`,
    rule: 'no-restricted-imports',
  },
  {
    story: 'a store may not import an operation',
    file: 'apps/docstore-api/src/store/document-store.ts',
    text: `import { x } from '../operations/create.ts'; export const y = x;`,
    rule: 'no-restricted-imports',
  },
  {
    story: 'the wire may not import an operation',
    file: 'apps/investigation-api/src/wire/session-input.ts',
    text: `import { x } from '../operations/sessions.ts'; export const y = x;`,
    rule: 'no-restricted-imports',
  },
  {
    story: 'a policy may not import a store',
    file: 'apps/authz-grpc/src/policy/glob.ts',
    text: `import { x } from '../store/domains.ts'; export const y = x;`,
    rule: 'no-restricted-imports',
  },
  {
    story: 'settings are read in config.ts and nowhere else',
    file: 'apps/investigation-api/src/server.ts',
    text: `export const x = process.env['INVESTIGATION_PORT'];`,
    rule: 'no-restricted-syntax',
  },
  {
    story: 'an entry point hands the environment over',
    file: 'apps/investigation-api/src/main.ts',
    text: `import { loadConfig } from './config.ts'; await loadConfig(process.env);`,
    rule: null,
  },
  {
    story: 'a test title may not begin with its verb',
    file: 'libs/jwt/src/keys.spec.ts',
    text: `import { it } from '@jest/globals'; it('is refused, too', () => {});`,
    rule: 'no-restricted-syntax',
  },
  {
    story: 'the title of a test over cases may not begin with its verb',
    file: 'libs/jwt/src/keys.spec.ts',
    text: "import { it } from '@jest/globals'; it.each([1])(`is refused for %s ${1}`, () => {});",
    rule: 'no-restricted-syntax',
  },
  {
    story: 'a comment may not be wider than the code',
    file: 'libs/jwt/src/keys.ts',
    text: `// ${'word '.repeat(30)}\nexport const x = 1;`,
    rule: 'max-len',
  },
  {
    story: 'a test title may name a subject, a verb and an outcome',
    file: 'libs/jwt/src/keys.spec.ts',
    text: `import { it } from '@jest/globals'; it('a private key is refused', () => {});`,
    rule: null,
  },
  {
    story: 'SQL may not stand outside the store',
    file: 'apps/authz-grpc/src/audit/verify-chain.ts',
    text: "export const x = 'SELECT tenant_id FROM audit_chains ORDER BY tenant_id';",
    rule: 'no-restricted-syntax',
  },
  {
    story: 'SQL in a template may not stand outside the store',
    file: 'apps/authz-grpc/src/maintenance.ts',
    text: 'export const x = (day: string) => `CREATE TABLE "${day}" PARTITION OF audit_events`;',
    rule: 'no-restricted-syntax',
  },
  {
    story: 'a store may hold SQL',
    file: 'apps/authz-grpc/src/store/sql-audit-reader.ts',
    text: "export const x = 'SELECT tenant_id FROM audit_chains ORDER BY tenant_id';",
    rule: null,
  },
  {
    story: 'an entry point reads no setting by name',
    file: 'apps/investigation-api/src/main.ts',
    text: `export const x = process.env['INVESTIGATION_PORT'];`,
    rule: 'no-restricted-syntax',
  },
];

function run(args: string[], input: string): string {
  const child = spawnSync(process.execPath, args, { input, encoding: 'utf8', maxBuffer: 2 ** 24 });
  if (child.status !== 0) throw new Error(child.stderr);
  return child.stdout;
}

describe('import rules', () => {
  covers('RM-0.1');
  let objections: (string | null)[][];
  beforeAll(() => {
    // The boundary rule reads the graph that nx wrote last, and allows everything when there is none.
    run(['node_modules/nx/dist/bin/nx.js', 'graph', '--file=.nx/graph.json'], '');
    const cases = CASES.map(({ file, text }) => ({ file, text }));
    objections = JSON.parse(run(['--import', 'tsx', 'tools/lint/lint-texts.ts'], JSON.stringify(cases)));
  });

  it.each(CASES.map((each, index) => ({ ...each, index })))('$story', ({ rule, index }) => {
    if (rule === null) expect(objections[index]).toEqual([]);
    else expect(objections[index]).toContain(rule);
  });
});
