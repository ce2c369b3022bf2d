import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aptInstall, findProgram } from './program.ts';
import { takeFirst } from './tier.ts';

/** A certificate and its private key: PEM files. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority that lives as long as a test. */
export interface CertificateAuthority {
  /** PEM file of its own certificate. */
  readonly ca: string;
  /**
   * Issues a certificate for `name`, as a DNS name and an IP address of this machine, in the files
   * `<name>.crt` and `<name>.key`; those of an earlier one of the name are replaced.
   */
  issue(name: string): CertificateFiles;
  remove(): void;
}

/** Path of openssl. Errors: PartUnavailable, saying how to get one. */
function findOpenssl(): Promise<string> {
  return takeFirst<string>(
    'openssl',
    [
      { name: 'program on this machine', get: async () => findProgram(['openssl']) },
      {
        name: 'Debian package openssl',
        get: async () => ((await aptInstall('openssl')) ? findProgram(['openssl']) : null),
      },
    ],
    'install it: apt-get install openssl',
  );
}

/** Makes a certificate authority. Errors: PartUnavailable without openssl. */
export async function createCertificateAuthority(commonName: string): Promise<CertificateAuthority> {
  const program = await findOpenssl();
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync(program, args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const usage = ['-addext', 'keyUsage=critical,keyCertSign'];
  const root = ['-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', `/CN=${commonName}`];
  openssl('req', '-x509', ...newKey, ...root, ...usage);
  let issued = 0;
  return {
    ca: file('ca.crt'),
    issue(name) {
      issued += 1;
      writeFileSync(file(`${name}.ext`), `subjectAltName=DNS:${name},DNS:localhost,IP:127.0.0.1\n`);
      const subject = ['-subj', `/CN=${name}`];
      openssl('req', ...newKey, '-keyout', `${name}.key.next`, '-out', `${name}.csr`, ...subject);
      const signing = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-set_serial', String(1_000 + issued)];
      const files = ['-in', `${name}.csr`, '-extfile', `${name}.ext`, '-out', `${name}.crt`];
      openssl('x509', '-req', '-days', '2', ...signing, ...files);
      renameSync(file(`${name}.key.next`), file(`${name}.key`));
      return { cert: file(`${name}.crt`), key: file(`${name}.key`) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
