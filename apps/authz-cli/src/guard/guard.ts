import type { Caller, Correlation, Decide, Verdict } from './decider.ts';
import { asksOf, keepItems, listsInside } from './list-filter.ts';
import { InvalidMessageError, type JsonObject, type Message, type RequestId } from './message.ts';
import { connectAsk, needOf, readAsk, type Ask, type ListKind, type Need, type Rules } from './needs.ts';
import { refusalOf, refusedResponse, type Refusal } from './refusals.ts';

/** How long a caller who was let in is taken to be connected, without asking again. Milliseconds. */
export const CONNECTED_MS = 60_000;
/** Callers that are remembered as connected. */
const CALLERS_MAX = 10_000;

/** Tells that a resource has changed, which only its readers may know. */
const RESOURCE_UPDATED = 'notifications/resources/updated';

/** A message that may be passed on, or the response to its sender. */
export type Admission =
  | { readonly passed: true; readonly list: ListKind | null }
  | {
      readonly passed: false;
      readonly refusal: Refusal;
      /** JSON of the response; null for what has none. */
      readonly response: string | null;
      readonly isCredential: boolean;
    };

/** Lets messages of callers through, by the decisions of the authorization service. */
export interface Guard {
  /** Asks for whatever the message needs. Never rejects. */
  admit(message: Message, caller: Caller, correlation: Correlation): Promise<Admission>;
  /** Asks whether the caller may use the server, now. */
  connect(caller: Caller, correlation: Correlation): Promise<Admission>;
  /**
   * The message of the server: a response with those items of its list that the caller may use; null for a
   * notification about a resource that the caller may not read. `list` is the one that was asked for, null
   * for a response to something else, undefined when that is not known.
   */
  filter(
    text: string,
    message: Message,
    list: ListKind | null | undefined,
    caller: Caller,
    correlation: Correlation,
  ): Promise<string | null>;
}

/** What a guard tells the one who runs it: a line of text. */
export type Note = (line: string) => void;

/** `now` is a monotonic time in milliseconds. */
export function createGuard(
  rules: Rules,
  decide: Decide,
  note: Note,
  now: () => number = () => performance.now(),
): Guard {
  const { place } = rules;
  /** When callers were let in, by their credential. */
  const connectedAt = new Map<string, number>();

  function refuse(id: RequestId | null, method: string | null, refusal: Refusal, isCredential = false) {
    const response = id === null && method !== null ? null : refusedResponse(id, method, refusal);
    return { passed: false, refusal, response, isCredential } as const;
  }

  /** As `decide`; a caller whose credential has ended is taken to be connected no longer. */
  const ask: Decide = async (asks, caller, correlation) => {
    const verdicts = await decide(asks, caller, correlation);
    if (verdicts.some(({ outcome }) => outcome === 'credential')) connectedAt.delete(caller.token);
    return verdicts;
  };

  /** The first ask that is not allowed, or null. */
  async function firstRefused(asks: readonly Ask[], caller: Caller, correlation: Correlation) {
    const verdicts = await ask(asks, caller, correlation);
    for (const [index, one] of asks.entries()) {
      const verdict: Verdict = verdicts[index] ?? { outcome: 'undecided', why: 'a check has no result' };
      if (verdict.outcome === 'allowed') continue;
      const why = 'why' in verdict ? `${verdict.outcome} (${verdict.why})` : verdict.outcome;
      note(`${why}: ${one.action} on ${one.object} by ${caller.subject}`);
      return { refusal: refusalOf(verdict, one), isCredential: verdict.outcome === 'credential' };
    }
    return null;
  }

  async function connect(caller: Caller, correlation: Correlation) {
    const refused = await firstRefused([connectAsk(place)], caller, correlation);
    if (refused === null) rememberConnected(caller);
    else connectedAt.delete(caller.token);
    return refused;
  }

  function rememberConnected({ token }: Caller): void {
    if (connectedAt.size >= CALLERS_MAX) connectedAt.clear();
    connectedAt.set(token, now());
  }

  async function refusedFor(need: Need, caller: Caller, correlation: Correlation) {
    if (!need.connected) {
      const refused = await firstRefused(need.asks, caller, correlation);
      if (refused === null && need.asks[0]?.action === 'connect') rememberConnected(caller);
      return refused;
    }
    const since = connectedAt.get(caller.token);
    return since !== undefined && now() - since < CONNECTED_MS ? null : connect(caller, correlation);
  }

  return {
    async admit(message, caller, correlation) {
      const id = message.kind === 'request' ? message.id : null;
      const method = message.kind === 'response' ? null : message.method;
      let need: Need;
      try {
        need =
          message.kind === 'response'
            ? { asks: [], connected: true, list: null }
            : needOf(message.method, message.params, message.kind === 'request', rules);
      } catch (error) {
        if (!(error instanceof InvalidMessageError)) throw error;
        note(`refused: ${error.message}, by ${caller.subject}`);
        return refuse(id, method, { code: 'invalid', text: error.message });
      }
      const refused = await refusedFor(need, caller, {
        ...correlation,
        ...(method === null ? {} : { 'mcp.method': method }),
        ...(id === null ? {} : { 'mcp.request': String(id) }),
      });
      if (refused === null) return { passed: true, list: need.list };
      return refuse(id, method ?? '', refused.refusal, refused.isCredential);
    },

    async connect(caller, correlation) {
      const refused = await connect(caller, correlation);
      return refused === null
        ? { passed: true, list: null }
        : refuse(null, null, refused.refusal, refused.isCredential);
    },

    async filter(text, message, asked, caller, correlation) {
      if (message.kind !== 'response') {
        const { method, params } = message;
        if (method !== RESOURCE_UPDATED || rules.passes.has('resources')) return text;
        const refused = await refusedUpdate(params, caller, { ...correlation, 'mcp.method': method });
        return refused ? null : text;
      }
      if (message.result === null) return text;
      const { result, id } = message;
      const lists = asked === undefined ? listsInside(result) : [asked];
      let kept = text;
      for (const list of lists) {
        if (list === null || rules.passes.has(list.kind)) continue;
        const shown = await shownOf(list, result, caller, correlation);
        if (!Array.isArray(shown)) return refusedResponse(id, null, shown);
        kept = keepItems(kept, list, shown);
      }
      return kept;
    },
  };

  async function refusedUpdate({ uri }: JsonObject, caller: Caller, correlation: Correlation) {
    let ask: Ask;
    try {
      ask = readAsk(place, uri);
    } catch (error) {
      note(`dropped a notification of the server: ${(error as Error).message}`);
      return true;
    }
    return (await firstRefused([ask], caller, correlation)) !== null;
  }

  /** Which items of the list the caller may use; a refusal where that cannot be said. */
  async function shownOf(
    list: ListKind,
    result: JsonObject,
    caller: Caller,
    correlation: Correlation,
  ): Promise<boolean[] | Refusal> {
    let asks: (Ask | null)[];
    try {
      asks = asksOf(place, list, result);
    } catch (error) {
      return { code: 'unavailable', text: (error as Error).message };
    }
    const shown = asks.map(() => false);
    // What may be used under conditions on its arguments alone is listed to whom `list` is allowed.
    for (const action of [list.action, 'list']) {
      const open = asks.flatMap((one, index) => (one === null || shown[index] ? [] : [{ one, index }]));
      const asked = open.map(({ one }) => ({ ...one, action }));
      const verdicts = await ask(asked, caller, correlation);
      for (const [at, { one, index }] of open.entries()) {
        const verdict: Verdict = verdicts[at] ?? { outcome: 'undecided', why: 'a check has no result' };
        if (verdict.outcome === 'allowed') shown[index] = true;
        else if (verdict.outcome !== 'denied') return refusalOf(verdict, one);
      }
    }
    return shown;
  }
}
