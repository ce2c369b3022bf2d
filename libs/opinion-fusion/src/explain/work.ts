/** What an explanation may cost: claims read in alternatives to a verdict. One explanation is told to several searches. */
export class Work {
  left: number;

  constructor(claims: number) {
    this.left = claims;
  }

  /** Takes `claims` off what is left; false, and nothing is taken, when it does not suffice. */
  take(claims: number): boolean {
    if (claims > this.left) return false;
    this.left -= claims;
    return true;
  }
}
