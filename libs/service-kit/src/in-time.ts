/** How late a timer may be before it says more of this process than of who was asked. Milliseconds. */
const LATE_MS = 20;

/**
 * The reply of a server beside this process, such as Redis, or an error once `timeoutMs` have passed in which
 * this process could have read it: while it is busy itself the wait begins again. Clients' own time-outs
 * often end when a command is written, not when it is answered. Errors: the reply's own, "no reply within …
 * ms".
 */
export function inTime<T>(reply: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const wait = () => {
      const due = performance.now() + timeoutMs;
      timer = setTimeout(() => {
        if (performance.now() - due > LATE_MS) wait();
        else reject(new Error(`no reply within ${timeoutMs} ms`));
      }, timeoutMs);
    };
    wait();
    void reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
