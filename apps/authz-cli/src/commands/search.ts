import { readFilter, requestContext } from '@platform/authz-client';
import type { RequestValue } from '@platform/proto/authz/v1/policy';
import type { Command } from 'commander';
import { attributesOf, contextOf } from '../arguments.ts';
import { UsageError } from '../exit-codes.ts';
import { wordsOfFilter } from '../filter-words.ts';
import { knownAccounts, objectOf, placeOf, searchedSubjectLines, withAccountNames } from '../names.ts';
import { visible } from '../output.ts';
import { everyPage } from '../pages.ts';
import type { Session, Shell } from '../shell.ts';

/** Resources that one request takes. */
const RESOURCES_MAX = 1_000;

interface PlaceOption {
  tenant?: string;
  domain?: string;
}

interface PrefixOption extends PlaceOption {
  prefix?: string;
}

interface PlanOptions extends PrefixOption {
  readonly namesOnly?: boolean;
}

/** What may be seen: `resources put | delete | list`, `search resources | subjects | actions` and `plan`. */
export function addSearch(program: Command, shell: Shell): void {
  addResources(program, shell);
  addSearches(program, shell);
  addPlan(program, shell);
}

const ofDomain = (command: Command) =>
  command
    .option('--tenant <tenant>', 'id or name of the tenant; the current one unless given')
    .option('--domain <domain>', 'id or name of the domain; the current one unless given');

function addResources(program: Command, { talking, print }: Shell): void {
  const resources = program.command('resources').description('the names that searches look through');

  ofDomain(
    resources
      .command('put <paths...>')
      .description(
        'register resources; of one that is there, the attributes are replaced by those that are given',
      ),
  )
    .option('--attribute <key=value...>', 'owner=<subject> or resource.<key>=<value> of each of them')
    .action(
      talking(async (session, paths: string[], options: PlaceOption & { attribute?: string[] }) => {
        const place = await placeOf(session, options);
        const attributes = requestContext(attributesOf(options.attribute ?? []));
        for (const part of inParts(objectsOf(place.domainId, paths))) {
          const sent = part.map((object) => ({ object, attributes }));
          await session.clients.resources.putResources({ ...place, resources: sent }, session.extras);
        }
        print(session, { put: paths.length }, `${paths.length} put`);
      }),
    );
  ofDomain(resources.command('delete <paths...>').description('forget resources')).action(
    talking(async (session, paths: string[], options: PlaceOption) => {
      const place = await placeOf(session, options);
      let deleted = 0;
      for (const objects of inParts(objectsOf(place.domainId, paths))) {
        const done = await session.clients.resources.deleteResources({ ...place, objects }, session.extras);
        deleted += done.deleted;
      }
      print(session, { deleted }, `${deleted} deleted`);
    }),
  );
  ofDomain(resources.command('list').description('the registered resources with their attributes'))
    .option('--prefix <path>', 'only those whose path begins with it')
    .action(
      talking(async (session, options: PrefixOption) => {
        const place = await placeOf(session, options);
        const { prefix = '' } = options;
        const found = await everyPage('resources', (pageToken) =>
          session.clients.resources.listResources(
            { ...place, prefix, pageSize: 0, pageToken },
            session.extras,
          ),
        );
        const lines = found.resources.map(({ object, attributes }) =>
          [object, ...Array.from(attributes, ([key, value]) => `${key}=${textOf(value)}`)]
            .map(visible)
            .join(' '),
        );
        print(session, found, lines.join('\n'));
      }),
    );
}

/**
 * Does what asks about a subject, and says on standard error, as what is found is a list, that the subject is
 * the name of an account, also where what was asked is refused, or of none where `ask` finds nothing.
 */
async function notingName(
  session: Session,
  subject: string,
  { note }: Shell,
  ask: () => Promise<{ readonly isNothing: boolean }>,
): Promise<void> {
  let isNothing = false;
  try {
    ({ isNothing } = await ask());
  } finally {
    for (const line of await searchedSubjectLines(session, subject, isNothing)) note?.(line);
  }
}

function addSearches(program: Command, shell: Shell): void {
  const { talking, print } = shell;
  const search = program.command('search').description('what checks would allow, as a list');
  const said = (session: Session, found: object, names: readonly string[]) =>
    print(session, found, names.map(visible).join('\n'));

  ofDomain(
    search
      .command('resources <subject> <action> [attributes...]')
      .description('the registered resources on which the subject may perform the action'),
  )
    .option('--prefix <path>', 'only those whose path begins with it')
    .action(
      talking(
        async (session, subject: string, action: string, attributes: string[], options: PrefixOption) => {
          const { domainId } = await placeOf(session, options);
          const context = requestContext(withoutKey('object', contextOf(subject, action, '', attributes)));
          const { prefix = '' } = options;
          await notingName(session, subject, shell, async () => {
            const found = await everyPage('objects', (pageToken) =>
              session.clients.search.searchResources(
                { context, domainId, prefix, resources: [], pageSize: 0, pageToken },
                session.extras,
              ),
            );
            said(session, found, found.objects);
            return { isNothing: found.objects.length === 0 };
          });
        },
      ),
    );
  search
    .command('subjects <action> <object> [attributes...]')
    .description('the known subjects that may perform the action on the object')
    .action(
      talking(async (session, action: string, object: string, attributes: string[]) => {
        const asked = contextOf('', action, await objectOf(session, object), attributes);
        const context = requestContext(withoutKey('subject', asked));
        const found = await everyPage('subjects', (pageToken) =>
          session.clients.search.searchSubjects(
            { context, subjects: [], pageSize: 0, pageToken },
            session.extras,
          ),
        );
        const names = session.isJson ? new Map<string, string>() : await knownAccounts(session);
        said(
          session,
          found,
          found.subjects.map((subject) => withAccountNames(subject, names)),
        );
      }),
    );
  search
    .command('actions <subject> <object> [attributes...]')
    .description('the actions named by policies that the subject may perform on the object')
    .action(
      talking(async (session, subject: string, object: string, attributes: string[]) => {
        const asked = contextOf(subject, '', await objectOf(session, object), attributes);
        const context = requestContext(withoutKey('action', asked));
        await notingName(session, subject, shell, async () => {
          const found = await everyPage('actions', (pageToken) =>
            session.clients.search.searchActions(
              { context, actions: [], pageSize: 0, pageToken },
              session.extras,
            ),
          );
          said(session, found, found.actions);
          return { isNothing: found.actions.length === 0 };
        });
      }),
    );
}

function addPlan(program: Command, shell: Shell): void {
  const { talking, print } = shell;
  ofDomain(
    program
      .command('plan <subject> <action> [attributes...]')
      .description('the condition on objects of the domain under which checks are allowed'),
  )
    .option('--names-only', 'names of what allows alone, which subjects get about themselves; check each one')
    .option('--prefix <path>', 'with --names-only: only names whose path begins with it')
    .action(
      talking(
        async (session, subject: string, action: string, attributes: string[], options: PlanOptions) => {
          const { domainId } = await placeOf(session, options);
          const context = requestContext(withoutKey('object', contextOf(subject, action, '', attributes)));
          const { namesOnly, prefix } = options;
          if (prefix !== undefined && namesOnly !== true) throw new UsageError('--prefix needs --names-only');
          const request = { context, domainId, namesOnly, prefix };
          await notingName(session, subject, shell, async () => {
            const { filter: message } = await session.clients.search.planResources(request, session.extras);
            const filter = readFilter(message);
            print(session, { filter }, wordsOfFilter(filter));
            return { isNothing: filter.kind === 'constant' && !filter.value };
          });
        },
      ),
    );
}

function withoutKey<V>(key: string, context: Readonly<Record<string, V>>): Record<string, V> {
  return Object.fromEntries(Object.entries(context).filter(([name]) => name !== key));
}

function objectsOf(domainId: string, paths: readonly string[]): string[] {
  return paths.map((path) =>
    path.startsWith('svc://') ? path : `svc://${domainId}/${path.replace(/^\//, '')}`,
  );
}

function* inParts<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += RESOURCES_MAX) yield items.slice(at, at + RESOURCES_MAX);
}

function textOf({ value }: RequestValue): string {
  return value?.$case === 'multiple' ? value.value.values.join(',') : (value?.value ?? '');
}
