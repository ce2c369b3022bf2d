/**
 * Loaded before a service: on SIGUSR2 the wall clock of its main thread jumps an hour ahead, on the next one
 * back. Timers and monotonic clocks go on as they do when a machine's clock is set.
 */
const HOUR_MS = 3_600_000;
const RealDate = Date;
let offsetMs = 0;

globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offsetMs);
    else super(...args);
  }
  static now() {
    return RealDate.now() + offsetMs;
  }
};
process.on('SIGUSR2', () => (offsetMs = offsetMs === 0 ? HOUR_MS : 0));
