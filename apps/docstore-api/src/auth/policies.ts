import { objectUri, type Authority, type CallMetadata } from '@platform/authz-client';
import type { Action, Filenames } from '../rules/scopes.ts';

/** What is done to documents, as policies say it. */
const POLICY_ACTIONS: Partial<Record<Action, string>> = {
  'file:read': 'read',
  'file:write': 'write',
  'file:delete': 'delete',
};

/** Contexts in one call. */
const BATCH_MAX = 1_000;

/** What the policies of a tenant let one caller do with its documents, for the length of a request. */
export interface Policies {
  /** Whether an object can spell the filename; what none can spell is not allowed to anybody (ADR 0019). */
  canName(filename: string): boolean;
  /** Whether `action` is allowed on each filename, by index. Throws `rate_limited` and `unavailable`. */
  areAllowed(action: Action, filenames: readonly string[]): Promise<boolean[]>;
  /**
   * Where `action` may be allowed: every filename on which it is, and others, so that each one is asked about
   * besides. Null where policies narrow filenames down to nothing less than all. Throws as `areAllowed`.
   */
  namesOf(action: Action): Promise<Filenames | null>;
  /** The filenames on which `action` was found allowed so far. */
  allowed(action: Action): readonly string[];
}

/** Path of the objects of documents, which the filename follows. */
const DOCUMENTS = 'documents/';

/**
 * Policies by what authz-grpc decides on `svc://<root domain>/documents/<filename>`, asked as the caller,
 * each question once. A filename that no object can spell is not allowed to anybody.
 */
export function createPolicies(options: {
  readonly authority: Pick<Authority, 'areAllowed' | 'namesAllowed'>;
  readonly credential: string;
  readonly subject: string;
  readonly rootDomainId: string;
  readonly metadata: CallMetadata;
}): Policies {
  const { authority, credential, subject, rootDomainId, metadata } = options;
  const known = new Map<Action, Map<string, boolean>>();
  const objectOf = (filename: string) => objectUri(rootDomainId, 'documents', ...filename.split('/'));

  async function ask(
    wanted: readonly { readonly action: Action; readonly filename: string }[],
  ): Promise<void> {
    const questions = wanted.map(({ action, filename }) => ({
      action,
      filename,
      object: objectOf(filename),
    }));
    const askable = questions.filter(({ object }) => object !== null);
    const answers: boolean[] = [];
    for (let from = 0; from < askable.length; from += BATCH_MAX) {
      const contexts = askable
        .slice(from, from + BATCH_MAX)
        .map(({ action, object }) => ({ subject, action: POLICY_ACTIONS[action]!, object: object! }));
      answers.push(...(await authority.areAllowed(credential, contexts, metadata)));
    }
    for (const { action, filename } of questions) answersOf(action).set(filename, false);
    for (const [index, { action, filename }] of askable.entries())
      answersOf(action).set(filename, answers[index] ?? false);
  }

  function answersOf(action: Action): Map<string, boolean> {
    const answers = known.get(action) ?? new Map<string, boolean>();
    known.set(action, answers);
    return answers;
  }

  return {
    canName: (filename) => objectOf(filename) !== null,
    async areAllowed(action, filenames) {
      const isNew = (one: Action) => (filename: string) => !answersOf(one).has(filename);
      const missing = [...new Set(filenames)].filter(isNew(action)).map((filename) => ({ action, filename }));
      // Who writes is shown what was written, if they may read it: one call decides both.
      const shown =
        action === 'file:write'
          ? missing
              .map(({ filename }) => filename)
              .filter(isNew('file:read'))
              .map((filename) => ({ action: 'file:read' as const, filename }))
          : [];
      if (missing.length > 0) await ask([...missing, ...shown]);
      return filenames.map((filename) => answersOf(action).get(filename) === true);
    },
    async namesOf(action) {
      const context = { subject, action: POLICY_ACTIONS[action]! };
      const within = { domainId: rootDomainId, prefix: DOCUMENTS };
      const names = await authority.namesAllowed(credential, context, within, metadata);
      if (names === null) return null;
      const filenameOf = (path: string) => path.slice(DOCUMENTS.length);
      return { exact: names.exact.map(filenameOf), prefixes: names.prefixes.map(filenameOf) };
    },
    allowed: (action) =>
      [...answersOf(action)].filter(([, isAllowed]) => isAllowed).map(([filename]) => filename),
  };
}
