export interface PassedWhenRepeated {
  /** Path of the suite. */
  readonly file: string;
  /** The first test that failed in the first run; where none did, such as in `afterAll`, the error. */
  readonly title: string;
}
