import type { Caller } from '../access/caller.ts';
import type { Tool } from './tool.ts';

/** The caller that a server instance acts for. */
export interface Connection {
  readonly tools: readonly Tool[];
  readonly caller: Caller;
  readonly requestId: string;
  /** Where people reach the service, for the links of shares. Without a slash at the end. */
  readonly baseUrl: string;
  /** What to tell with each link of a share, where it does not open everywhere. */
  readonly linkNotice?: string | undefined;
  /**
   * JSON of the arguments of the one tool call that came, where they are too large to be parsed on the
   * request thread.
   */
  readonly rawArguments?: Uint8Array<ArrayBuffer>;
}
