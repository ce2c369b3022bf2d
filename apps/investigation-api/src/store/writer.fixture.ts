import { openDatabase } from '@platform/database';
import { createSqlSessionStore } from './sql-session-store.ts';
import { stampedChange } from './stamped.fixture.ts';

/**
 * A process that writes one stamp after another into a session, forever:
 * `writer.fixture.ts <url> <tenant> <first stamp>`.
 */
const [url, tenantId, first] = process.argv.slice(2) as [string, string, string];
const database = await openDatabase(url, { embeddedFolder: 'unused', connectionsMax: 1 });
const store = createSqlSessionStore(database);
process.stdout.write('writing\n');
for (let stamp = Number(first); ; stamp++) {
  await store.update({ tenantId, sessionId: 'session' }, stampedChange(stamp));
}
