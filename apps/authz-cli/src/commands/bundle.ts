import { readFile, writeFile } from 'node:fs/promises';
import {
  BundleError,
  compileBundle,
  needsRegexes,
  USER_ATTRIBUTE_PREFIX,
  verifyBundle,
  type Bundle,
  type BundleKey,
} from '@platform/decide';
import { openRegexes } from '@platform/decide/regex';
import { Option, type Command } from 'commander';
import { attributesOf, contextOf } from '../arguments.ts';
import { adviceFor, tlsOf } from '../connection.ts';
import { EXIT, RestError, unreadable, UsageError } from '../exit-codes.ts';
import { placeOf } from '../names.ts';
import { counted, visible } from '../output.ts';
import { getText } from '../rest.ts';
import type { Session, Shell } from '../shell.ts';

/** What Node says about a server of TLS that was asked in plaintext. */
const CLOSED = /hang up|ECONNRESET|Parse Error/;

interface KeysOption {
  keys?: string;
}

/** Signed policies that decide without the service: `bundle fetch | verify | check`. */
export function addBundle(program: Command, { talking, print, env, setExitCode }: Shell): void {
  const bundle = program.command('bundle').description('signed policies that decide without the service');

  bundle
    .command('fetch <file>')
    .description('write the policies that decide on a domain to a file, for callers who may read them')
    .option('--url <url>', 'REST address of the service, also PLATFORM_URL, such as http://127.0.0.1:8081')
    .option('--tenant <tenant>', 'id or name of the tenant; the current one unless given')
    .option('--domain <domain>', 'id or name of the domain; the current one unless given')
    .action(
      talking(async (session, file: string, options: { url?: string; tenant?: string; domain?: string }) => {
        const url = (options.url ?? env['PLATFORM_URL'])?.replace(/\/+$/, '');
        if (url === undefined) throw new UsageError('no REST address: add --url, or set PLATFORM_URL');
        const { domainId } = await placeOf(session, options);
        const place = {
          url,
          tls: tlsOf(session.context),
          advise: (why: string) =>
            url.startsWith('http:') && CLOSED.test(why)
              ? 'if it speaks TLS, write https:// in --url'
              : adviceFor(why, session.context, 'choose another with --url'),
        };
        const body = await getText(place, `/v1/domains/${domainId}/bundle`, session.extras.token).catch(
          (error: unknown) => {
            if (error instanceof RestError && error.reason === 'access_denied')
              error.message += `: this needs \`read\` on the policies of domain ${domainId} and of those above it`;
            throw error;
          },
        );
        const found = await verify(session, body, {});
        await writeFile(file, body);
        print(session, summaryOf(found), `written: ${sentenceOf(found)}`);
      }),
    );

  bundle
    .command('verify <file>')
    .description('say whether the file is what the service signed, and not expired')
    .option('--keys <file>', 'key set to verify with; those that the service publishes unless given')
    .action(
      talking(async (session, file: string, options: KeysOption) => {
        const found = await judged(session, file, options);
        if (found !== null)
          print(session, { ...summaryOf(found), valid: true }, `valid: ${sentenceOf(found)}`);
      }),
    );

  bundle
    .command('check <file> <subject> <action> <object> [attributes...]')
    .description('decide by the file; an object without svc:// is a path of its domain')
    .option('--keys <file>', 'key set to verify with; those that the service publishes unless given')
    .addOption(
      new Option(
        '--attribute <key=value...>',
        'what the service keeps of the subject, such as team=red',
      ).conflicts('attributes'),
    )
    .option('--no-attributes', 'the service keeps nothing of the subject')
    .action(
      talking(async (session, ...args) => {
        const [file, subject, action, path, attributes, options] = args as CheckArguments;
        const found = await judged(session, file, options);
        if (found === null) return;
        const object = path.startsWith('svc://')
          ? path
          : `svc://${found.domain_id}/${path.replace(/^\//, '')}`;
        const context = contextOf(subject, action, object, attributes);
        const kept = Object.keys(context).find((key) => key.startsWith(USER_ATTRIBUTE_PREFIX));
        if (kept !== undefined)
          throw new UsageError(
            `\`${kept}\` is an attribute that the service keeps: write --attribute ${kept.slice(USER_ATTRIBUTE_PREFIX.length)}=${[context[kept]].flat()[0]}`,
          );
        const policies = compileBundle(found, needsRegexes(found) ? { regexes: openRegexes() } : {});
        const { allowed, matched, refused } = policies.check(
          context,
          options.attribute === undefined && options.attributes
            ? undefined
            : attributesOf(options.attribute ?? []),
        );
        policies.free();
        const of = matched?.domainId === found.domain_id ? '' : ` of domain \`${matched?.domainId}\``;
        const by = matched === null ? '' : ` by policy \`${visible(matched.policy)}\`${of}`;
        const text =
          refused === null
            ? `${allowed ? 'allowed' : 'denied'}${by}`
            : refused.code === 'attributes_missing'
              ? 'refused: policies name attributes of the subject: add --attribute <key=value>, or --no-attributes'
              : `refused: ${refused.message}`;
        print(session, { allowed, matched, refused }, text);
        if (!allowed) setExitCode(EXIT.no);
      }),
    );

  /** The bundle in a file; null, once it is said why, for one that is not decided by. */
  async function judged(session: Session, file: string, options: KeysOption): Promise<Bundle | null> {
    try {
      return await verify(session, await readFile(file, 'utf8').catch(unreadable(file)), options);
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      print(session, { valid: false, code: error.code, message: error.message }, `refused: ${error.message}`);
      setExitCode(EXIT.no);
      return null;
    }
  }
}

type CheckArguments = [
  file: string,
  subject: string,
  action: string,
  object: string,
  attributes: string[],
  options: KeysOption & { attribute?: string[]; attributes: boolean },
];

/** The bundle once its signature holds. Throws BundleError for one that does not verify. */
async function verify(session: Session, body: string, { keys }: KeysOption): Promise<Bundle> {
  const domainId = domainIn(body);
  return verifyBundle(body, {
    keys: keys === undefined ? await publishedKeys(session) : await readKeys(keys),
    domainId,
    now: Date.now(),
  });
}

/** The domain that a bundle names as its own; another text when the input is not a bundle. */
function domainIn(body: string): string {
  try {
    return String((JSON.parse(body) as { bundle: { domain_id: unknown } }).bundle.domain_id);
  } catch {
    return '';
  }
}

async function publishedKeys({ clients, extras }: Session): Promise<BundleKey[]> {
  const { keys } = await clients.publicKeys.getPublicKey({}, extras);
  return keys.map(({ keyId, publicKeyBytes }) => ({
    kid: keyId,
    x: Buffer.from(publicKeyBytes).toString('base64url'),
  }));
}

async function readKeys(file: string): Promise<readonly BundleKey[]> {
  const text = await readFile(file, 'utf8').catch(unreadable(file));
  let keys: unknown;
  try {
    ({ keys } = JSON.parse(text) as { keys?: unknown });
  } catch {
    throw new UsageError(`${file} is no key set: it is no JSON object`);
  }
  if (!Array.isArray(keys)) throw new UsageError(`${file} is no key set: it has no \`keys\``);
  return keys as readonly BundleKey[];
}

function summaryOf({ tenant_id, domain_id, issued_at, expires_at, key_id, domains }: Bundle) {
  const versions = domains.map(({ id, version, policies }) => ({ id, version, policies: policies.length }));
  return { tenant_id, domain_id, issued_at, expires_at, key_id, domains: versions };
}

function sentenceOf({ domain_id: id, expires_at: end, domains }: Bundle): string {
  const policies = domains.reduce((sum, domain) => sum + domain.policies.length, 0);
  const until = new Date(end * 1000).toISOString();
  const what = counted(policies, 'policy', 'policies');
  const decides = policies === 1 ? 'decides' : 'decide';
  return `${what} of ${counted(domains.length, 'domain')} ${decides} on ${visible(id)} until ${until}`;
}
