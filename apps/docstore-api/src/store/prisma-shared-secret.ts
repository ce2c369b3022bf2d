import { randomBytes } from 'node:crypto';
import type { Prisma } from './prisma.ts';

const SECRET_BYTES = 32;

/** The 32 bytes that all replicas share under `name`, made by the first to ask. */
export async function sharedSecret({ sharedSecret: secrets }: Prisma, name: string): Promise<Uint8Array> {
  // Read first: a start on a full disk writes nothing.
  const made = await secrets.findUnique({ where: { name } });
  if (made !== null) return made.value;
  await secrets.createMany({ data: { name, value: randomBytes(SECRET_BYTES) }, skipDuplicates: true });
  return (await secrets.findUniqueOrThrow({ where: { name } })).value;
}
