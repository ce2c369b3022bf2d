import { createCipheriv, createDecipheriv, createPublicKey, hkdfSync, randomBytes } from 'node:crypto';
import type { Database } from '@platform/database';
import { AuthzError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { CredentialStore } from '../store/credential-store.ts';
import type { SigningKeyStore } from '../store/signing-key-store.ts';
import { SettingsError } from '@platform/service-kit';
import {
  createKeyFinder,
  exportSigningKey,
  generateSigningKey,
  loadSigningKey,
  publicJwks,
  verificationKeyOf,
  type KeySource,
  type PublicJwks,
  type SigningKey,
  type VerificationKey,
} from '@platform/jwt';

/**
 * The service's signing keys: one signs, the next is published before its first use, old ones stay until they
 * are done.
 */
export interface SigningKeys extends KeySource {
  /** The key that signs at this moment. */
  current(): SigningKey;
  /** Every published key of the last read, the signing one first. */
  published(): readonly PublishedKey[];
  /**
   * Reads the keys again, once for all who ask meanwhile. Those of the last read stay where the keys were
   * sealed with a secret that this replica has not been given yet.
   */
  readAgain(): Promise<void>;
  jwks(): PublicJwks;
  /** Reads the keys again, making the first one, or the next when the newest is due. */
  refresh(): Promise<void>;
  /** Publishes a new key, which signs after `PUBLISH_AHEAD_MS`. Returns its id. */
  rotate(): Promise<string>;
  /** Seals every stored key with the current secret. Returns how many were sealed otherwise. */
  reseal(): Promise<number>;
}

export interface PublishedKey extends VerificationKey {
  /** Raw Ed25519 public key, 32 bytes (RFC 8032 §5.1.5). */
  readonly raw: Uint8Array;
}

interface StoredKey {
  readonly kid: string;
  /** Whether its end is known: it has signed its last token. */
  readonly hasEnd: boolean;
  readonly signing: SigningKey;
  readonly published: PublishedKey;
  readonly signsFrom: number;
}

/**
 * A key is published this long before it signs: longer than verifiers and replicas take to read the keys
 * again.
 */
export const PUBLISH_AHEAD_MS = 10 * 60_000;
/** Replicas that have not read the new key yet sign with the old one this much longer. */
const OVERLAP_MS = 2 * 60_000;
export async function createSigningKeys(
  parts: {
    readonly keys: SigningKeyStore;
    readonly credentials: Pick<CredentialStore, 'lastExpiry'>;
    readonly exclusively: Database['exclusively'];
  },
  options: {
    readonly now: () => Date;
    readonly rotationDays: number;
    readonly secret?: string | undefined;
    /** Opens keys that were sealed before the secret changed. */
    readonly previousSecret?: string | undefined;
  },
): Promise<SigningKeys> {
  const { keys: store, credentials, exclusively } = parts;
  const now = () => options.now().getTime();
  const seal = options.secret === undefined ? AS_IS : createSeal(options.secret);
  const openers = [
    seal,
    ...(options.previousSecret === undefined ? [] : [createSeal(options.previousSecret)]),
  ];
  let keys: readonly StoredKey[] = [];
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const loaded: StoredKey[] = [];
    for (const { kid, privateKey, signsFrom, expiresAt } of await store.list(options.now())) {
      const signing = await loadSigningKey(openWith(openers, privateKey));
      const published = { ...verificationKeyOf(signing), raw: rawPublicKey(signing) };
      loaded.push({ kid, hasEnd: expiresAt != null, signing, published, signsFrom: signsFrom.getTime() });
    }
    keys = loaded;
  }

  /** Replicas that find the same key due make one new key between them. */
  async function add(signsFrom: number, isWanted: () => boolean): Promise<string | null> {
    return exclusively('authz signing keys', async () => {
      await read();
      if (!isWanted()) return null;
      const key = await generateSigningKey();
      const pem = exportSigningKey(key);
      await store.insert({
        kid: key.kid,
        privateKey: seal.close(pem),
        publicKey: rawPublicKey(key),
        signsFrom: new Date(signsFrom),
      });
      // A key that has not signed yet is replaced before it does; where none signs yet, the oldest may have.
      const signing = signingKey();
      for (const one of keys) if (one.signsFrom > now() && one !== signing) await store.remove(one.kid);
      await read();
      return key.kid;
    });
  }

  const isDue = () => (keys[0]?.signsFrom ?? -Infinity) <= now() - options.rotationDays * 86_400_000;

  /** Ends each key that another one has replaced with the last token it signed. */
  async function endReplaced(): Promise<void> {
    for (const [index, { kid, signsFrom, hasEnd }] of keys.entries()) {
      const next = keys[index - 1];
      if (hasEnd || next === undefined || next.signsFrom + OVERLAP_MS > now()) continue;
      const to = new Date(next.signsFrom + OVERLAP_MS);
      const lastExpiry = await credentials.lastExpiry(new Date(signsFrom), to);
      await store.expire(kid, lastExpiry ?? options.now());
    }
  }

  async function refresh(): Promise<void> {
    await read();
    await endReplaced();
    // A key that was retired leaves none that may go on signing.
    const isNone = () => keys[0] === undefined || keys[0].hasEnd;
    if (isNone()) await add(now(), isNone);
    else if (isDue()) await add(now() + PUBLISH_AHEAD_MS, isDue);
  }

  /** The youngest key that has begun to sign, or else the oldest that has not. */
  function signingKey(): StoredKey | undefined {
    const open = keys.filter(({ hasEnd }) => !hasEnd);
    return open.find(({ signsFrom }) => signsFrom <= now()) ?? open.at(-1) ?? keys[0];
  }

  function currentKey(): StoredKey {
    const key = signingKey();
    if (key === undefined) throw new Error('there is no signing key');
    return key;
  }

  async function readSealed(): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
    }
  }

  const unavailable = (message: string) =>
    new AuthzError('DEPENDENCY_UNAVAILABLE', message, {
      retryAfterSeconds: RETRY_AFTER_SECONDS.dependency,
    });
  const finder = createKeyFinder({
    find: (kid) => keys.find(({ published }) => published.kid === kid)?.published ?? null,
    async fetch() {
      try {
        await read();
      } catch (error) {
        // The key may be among those that this replica cannot open.
        if (error instanceof SettingsError) throw unavailable('the signing keys cannot be read, try again');
        throw error;
      }
    },
    unavailable: () => unavailable('too many unknown signing keys, try again'),
  });

  await refresh();
  return {
    current: () => currentKey().signing,
    published() {
      const current = currentKey();
      return [current, ...keys.filter((key) => key !== current)].map(({ published }) => published);
    },
    readAgain: () => (reading ??= readSealed().finally(() => (reading = null))),
    jwks: () => publicJwks(keys.map(({ published }) => published)),
    refresh,
    async rotate() {
      return (await add(now() + PUBLISH_AHEAD_MS, () => true)) as string;
    },
    reseal: () =>
      exclusively('authz signing keys', async () => {
        let resealed = 0;
        for (const { kid, privateKey } of await store.list(options.now())) {
          if (seal.isOwn(privateKey)) continue;
          await store.reseal(kid, seal.close(openWith(openers, privateKey)));
          resealed += 1;
        }
        return resealed;
      }),
    ...finder,
  };
}

function rawPublicKey(key: SigningKey): Uint8Array {
  const { x } = createPublicKey(key.privateKey).export({ format: 'jwk' });
  return Buffer.from(x as string, 'base64url');
}

const SEALED = 'sealed:';

/** How private keys are stored. */
interface Seal {
  close(plain: string): string;
  /** The plain key; null for a key that another secret has sealed. */
  open(text: string): string | null;
  /** Whether the text is sealed as this would seal it. */
  isOwn(text: string): boolean;
}

const AS_IS: Seal = {
  close: (plain) => plain,
  open: (text) => (text.startsWith(SEALED) ? null : text),
  isOwn: (text) => !text.startsWith(SEALED),
};

/**
 * AES-256-GCM under a key derived from the secret (HKDF-SHA256), as `sealed:<nonce><tag><text>` in base64.
 */
function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'authz signing keys', 32));
  const open = (text: string): string | null => {
    // Keys made before a secret was set are stored as they are and stay readable.
    if (!text.startsWith(SEALED)) return text;
    const bytes = Buffer.from(text.slice(SEALED.length), 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  };
  return {
    close(plain) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return SEALED + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open,
    isOwn: (text) => text.startsWith(SEALED) && open(text) !== null,
  };
}

/** The plain key, by the first secret that opens it. Errors: SettingsError when none does. */
function openWith(openers: readonly Seal[], text: string): string {
  for (const opener of openers) {
    const plain = opener.open(text);
    if (plain !== null) return plain;
  }
  throw new SettingsError(
    'AUTHZ_KEY_SECRET: does not open the signing keys in the database; set the one that sealed them, or name it in ' +
      'AUTHZ_KEY_SECRET_PREVIOUS',
  );
}
