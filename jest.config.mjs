/**
 * Three projects: `npm test` runs the quick suites first and builds the apps only for the end-to-end ones;
 * suites of third parties, whose files lie outside the repository, run by `npm run conformance`.
 */
const project = {
  testEnvironment: 'node',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools', '<rootDir>/proto'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/', '/\\.data/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

export default {
  // The one time limit there is: it ends what hangs. How long something takes is for benchmarks, on any
  // machine.
  testTimeout: 600_000,
  projects: [
    { ...project, displayName: 'unit', testMatch: ['**/!(*.e2e|*.conformance).spec.ts'] },
    { ...project, displayName: 'e2e', testMatch: ['**/*.e2e.spec.ts'] },
    { ...project, displayName: 'conformance', testMatch: ['**/*.conformance.spec.ts'] },
  ],
  workerIdleMemoryLimit: '1GB',
  // A worker with a large heap takes longer than the usual half second to end on a busy machine, without
  // anything left open. One that is force exited after this did leave something open.
  workerGracefulExitTimeout: 60_000,
};
