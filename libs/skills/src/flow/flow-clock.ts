/** How long a flow may run, not counting the time it waits for a person. */
export class FlowClock {
  private readonly late = new AbortController();
  private since = performance.now();
  private timer: NodeJS.Timeout;

  constructor(private left: number) {
    this.timer = this.start();
  }

  get signal(): AbortSignal {
    return this.late.signal;
  }

  async pauseDuring<T>(wait: () => Promise<T>): Promise<T> {
    this.stop();
    this.left -= performance.now() - this.since;
    try {
      return await wait();
    } finally {
      this.since = performance.now();
      this.timer = this.start();
    }
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private start(): NodeJS.Timeout {
    return setTimeout(() => this.late.abort(), Math.max(0, this.left));
  }
}
