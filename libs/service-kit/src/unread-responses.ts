import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes of whole responses that may wait for their clients. */
const ROOM_BYTES = 128 * 1024 * 1024;
/** Longest that a client may take none of what waits for it. Milliseconds. */
const STALLED_MS_MAX = 20_000;

export interface UnreadOptions {
  /** Default ROOM_BYTES and STALLED_MS_MAX. */
  readonly roomBytes?: number;
  readonly stalledMsMax?: number;
}

/**
 * Bounds what clients cost that do not read their responses: a connection that takes nothing of what waits
 * for it is closed, and when what waits needs more than the room, the connections that hold most of it are,
 * the oldest first. A slow client that keeps reading is not touched unless the room is full.
 */
export function boundUnread(server: Server, options: UnreadOptions = {}): void {
  const { roomBytes = ROOM_BYTES, stalledMsMax = STALLED_MS_MAX } = options;
  /** In the order in which their responses ended. */
  const waiting = new Set<Socket>();

  function makeRoom(): void {
    for (;;) {
      let total = 0;
      let most: Socket | undefined;
      for (const socket of waiting) {
        total += socket.writableLength;
        if (socket.writableLength > (most?.writableLength ?? 0)) most = socket;
      }
      if (most === undefined || total <= roomBytes) return;
      waiting.delete(most);
      most.destroy();
    }
  }

  // Before the listener that responds.
  server.prependListener('request', (_req, res: ServerResponse) => {
    res.setTimeout(stalledMsMax);
    // A stream that had nothing to send for so long is not stalled.
    res.on('timeout', (socket: Socket) => void (socket.writableLength > 0 && socket.destroy()));
    res.once('prefinish', () => {
      const { socket } = res;
      if (socket === null || socket.writableLength === 0) return;
      waiting.add(socket);
      res.once('close', () => waiting.delete(socket));
      makeRoom();
    });
  });
}
