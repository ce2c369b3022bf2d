/** More wait than the queue takes. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/** The task waited longer than the queue allows. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

/** The task ran for longer than it may; its thread has been ended. */
export class TaskTimedOut extends Error {
  override readonly name = 'TaskTimedOut';
}

/** A thread ended without a reply, or the pool is closed; `cause` says why where a reason is known. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied';
}
