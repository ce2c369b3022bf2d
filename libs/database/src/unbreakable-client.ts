import pg from 'pg';

/**
 * A client of pg that ends no process. An `error` that nobody listens to does, and a pool listens to idle
 * clients only: one may break while it connects, on its way to a caller, between two statements, or as it is
 * removed. Whatever waits on the client, or comes to it later, rejects all the same.
 */
export class UnbreakableClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
