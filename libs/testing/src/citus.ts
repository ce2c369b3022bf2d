import pg from 'pg';

/** An address of a server of a Citus cluster. */
interface Node {
  readonly host: string;
  readonly port: number;
}

async function query<Row extends pg.QueryResultRow>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

function at(url: string, node: Node, database: string): string {
  const there = new URL(url);
  there.hostname = node.host;
  there.port = String(node.port);
  there.pathname = `/${database}`;
  return there.href;
}

/** The coordinator of the cluster that `url` leads to, and its workers. */
async function nodesOf(url: string): Promise<[Node, ...Node[]]> {
  const rows = await query<Node & { isCoordinator: boolean }>(
    url,
    `SELECT nodename AS host, nodeport AS port, groupid = 0 AS "isCoordinator"
     FROM pg_dist_node WHERE isactive ORDER BY groupid`,
  );
  const coordinator = rows.find((node) => node.isCoordinator);
  if (coordinator === undefined) throw new Error(`no coordinator of Citus at ${new URL(url).host}`);
  return [coordinator, ...rows.filter((node) => !node.isCoordinator)];
}

/**
 * Makes a database on every node of the Citus cluster whose coordinator `url` leads to, as an operator does,
 * and gives its URL at the coordinator. Errors: those of Postgres.
 */
export async function createOnEveryNode(url: string, name: string): Promise<string> {
  const [coordinator, ...workers] = await nodesOf(url);
  for (const node of [coordinator, ...workers]) {
    await query(at(url, node, 'postgres'), `CREATE DATABASE "${name}"`);
    await query(at(url, node, name), 'CREATE EXTENSION citus');
  }
  const made = at(url, coordinator, name);
  await query(
    made,
    `SELECT citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(({ host, port }) => `SELECT citus_add_node('${host}', ${port})`),
  );
  return made;
}

/** Drops a database that `createOnEveryNode` made. */
export async function dropOnEveryNode(url: string, name: string): Promise<void> {
  for (const node of await nodesOf(url))
    await query(at(url, node, 'postgres'), `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}
