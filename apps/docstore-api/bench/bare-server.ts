/**
 * The yardstick, in a process of its own: node:http with nothing but a statement of the service's own for
 * each request, through pg. A PUT writes the contents it was started with, so that nothing is left to be
 * worked out per request.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { prepareContents } from '../src/rules/contents.ts';
import { createEtag } from '../src/rules/etag.ts';
import { exactly } from '../src/rules/precondition.ts';
import { findQuery } from '../src/store/sql-document-store.ts';
import { updateQuery } from '../src/store/sql-document-writer.ts';

const [databaseUrl, contentsFile] = process.argv.slice(2) as [string, string];
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const contents = await prepareContents(readFileSync(contentsFile, 'utf8'));
const limits = { documentsMax: 1e6, bytesMax: 1e12 };

const server = createServer((req, res) => {
  let body = '';
  req.setEncoding('utf8');
  req.on('data', (chunk: string) => (body += chunk));
  req.on('end', () => {
    const id = req.url!.slice('/v1/file/'.length);
    const put = () => {
      const { filename } = JSON.parse(body) as { filename: string };
      const condition = exactly(req.headers['if-match']!.slice(1, -1));
      const change = { id, condition, newEtag: createEtag(), filename, contents, now: new Date() };
      return updateQuery('bench', change, limits, { versionsKept: 100 });
    };
    pool.query(req.method === 'PUT' ? put() : findQuery('bench', id)).then(
      ({ rows }: { rows: { etag: string }[] }) => {
        const text = JSON.stringify(rows[0] ?? null);
        res.writeHead(rows.length > 0 ? 200 : 412, {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(text),
          ETag: `"${rows[0]?.etag ?? ''}"`,
        });
        res.end(text);
      },
      (error: Error) => res.writeHead(500).end(error.message),
    );
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
