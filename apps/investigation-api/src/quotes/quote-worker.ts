import { parentPort } from 'node:worker_threads';
import { DocstoreClient, DocstoreError } from '@platform/docstore-client';
import type { WorkerMessage } from '@platform/worker-pool';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { pinnedQuotesOf } from '../model/pinned-quote.ts';
import { unpackJsonSync } from '../wire/packed-json.ts';
import { lookUpQuotes, type LookedUpQuote } from './check-quotes.ts';
import { excerptsOf } from './excerpts.ts';
import {
  clockMs,
  type CheckedQuotes,
  type ExcerptTask,
  type QuoteReply,
  type QuoteTask,
} from './quote-task.ts';
import { findIn } from './find-words.ts';
import { addDocument, listDocuments } from './name-documents.ts';
import { readDocument } from './stored-versions.ts';

/** Tries of one request; a check that must wait for the store says so instead. */
const ATTEMPTS_MAX = 2;

parentPort?.on('message', (task: QuoteTask) => {
  // What else goes wrong ends the thread, as any failure of a task does.
  void run(task).then((reply) =>
    parentPort?.postMessage({ reply } satisfies WorkerMessage<QuoteReply, never>),
  );
});

async function shownDocuments(client: DocstoreClient, { inputSnapshot }: ExcerptTask, signal: AbortSignal) {
  const json = Buffer.from(unpackJsonSync(inputSnapshot)).toString();
  const quotes = pinnedQuotesOf(JSON.parse(json) as InvestigationInput);
  return excerptsOf(await lookUpQuotes(client, quotes, signal, (looked) => looked));
}

/** Without the version, so that its text can be let go. */
const checkAndNames = ({ check, filenames }: LookedUpQuote) => ({ check, filenames });

function checkedQuotes(looked: readonly ReturnType<typeof checkAndNames>[]): CheckedQuotes {
  const names = new Map<string, Set<string>>();
  const checked = looked.flatMap(({ check, filenames }) => (check === null ? [] : [{ check, filenames }]));
  for (const { check, filenames } of checked)
    for (const filename of filenames)
      names.set(check.document, (names.get(check.document) ?? new Set()).add(filename));
  return {
    checks: checked.map(({ check }) => check),
    filenames: [...names].map(([document, of]) => [document, [...of]]),
  };
}

async function run(task: QuoteTask): Promise<QuoteReply> {
  const { baseUrl, credential, untilMs } = task;
  const timeoutMs = Math.max(0, untilMs - clockMs());
  const signal = AbortSignal.timeout(timeoutMs);
  const client = new DocstoreClient({
    baseUrl,
    key: credential,
    attemptsMax: ATTEMPTS_MAX,
    timeoutMs,
    rateWaitMaxMs: timeoutMs,
  });
  try {
    switch (task.kind) {
      case 'check':
        return checkedQuotes(await lookUpQuotes(client, task.quotes, signal, checkAndNames));
      case 'excerpts':
        return { documents: await shownDocuments(client, task, signal) };
      case 'add':
        return { added: await addDocument(client, task, signal) };
      case 'list':
        return { listed: await listDocuments(client, task, signal) };
      case 'read':
        return { read: await readDocument(client, task, signal) };
      case 'find':
        return { found: findIn(await readDocument(client, task, signal), task.selector) };
    }
  } catch (error) {
    const { code, message, details, retryAfterSeconds } =
      error instanceof DocstoreError ? error : DocstoreError.unreachable(error);
    return { refused: { code, message, details, retryAfterSeconds } };
  }
}
