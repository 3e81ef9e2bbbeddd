/** Numbers the passages that a run's searches find, from 1, so that instructions can cite them. */
export class SourceNumbers {
  /** @param last the last number that an earlier attempt has given */
  constructor(private last = 0) {}

  get isEmpty(): boolean {
    return this.last === 0;
  }

  next(): number {
    this.last += 1;
    return this.last;
  }
}
