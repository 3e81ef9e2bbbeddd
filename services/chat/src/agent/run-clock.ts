/** How long a run or a step has taken, without the time that it waited for a person. */
export class RunClock {
  private readonly startedAt: number;
  /** Calls that wait at the same time. */
  private waiting = 0;
  private waitingSince = 0;
  private waited = 0;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.startedAt = now();
  }

  get milliseconds(): number {
    const until = this.waiting > 0 ? this.waitingSince : this.now();
    return until - this.startedAt - this.waited;
  }

  async pauseDuring<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting === 0) this.waitingSince = this.now();
    this.waiting += 1;
    try {
      return await work();
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.waited += this.now() - this.waitingSince;
    }
  }
}
