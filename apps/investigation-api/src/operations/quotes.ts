import { DomainError } from '@platform/error-contracts';
import type { z } from 'zod';
import { JUDGE_FIRST, loadAuthorizedSession, sessionNotFound } from '../access/session-access.ts';
import type { Operation } from '../ports.ts';
import { readableQuotes } from './shared/readable-quotes.ts';
import { readInput } from '../wire/read-input.ts';
import { ListQuotes, type QuoteList } from '../wire/quote-schema.ts';

/**
 * What became of the pinned quotes of a judgement when it was made, in one state if asked for; of documents
 * that the caller may not read nothing. Throws `not_found` when the session has no such judgement.
 */
export const listJudgementQuotes: Operation<z.output<typeof QuoteList>> = async (deps, input, caller) => {
  const { session_id, judgement_id = 'latest', state, limit, offset } = readInput(ListQuotes, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const judgement = await deps.sessions.readQuotes(ref, judgement_id);
  if (judgement === 'no_session') throw sessionNotFound();
  if (judgement === 'no_judgement')
    throw new DomainError('not_found', 'no such judgement of the session', { remedy: JUDGE_FIRST });
  const { id, judgedAt, quotes } = judgement;
  const checks =
    quotes === null
      ? { ...NO_QUOTES, checked_at: judgedAt.toISOString() }
      : await readableQuotes(deps, caller, quotes);
  const items = checks.items.filter(
    (item) =>
      state === undefined || (state === 'unverified' ? item.state !== 'verified' : item.state === state),
  );
  return { judgement_id: id, ...checks, items: items.slice(offset, offset + limit), total: items.length };
};

const NO_QUOTES = { verified: 0, moved: 0, gone: 0, not_checked: 0, warnings: [], items: [] };
