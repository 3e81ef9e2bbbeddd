/** Why a call was given up. */
class CallTimeoutError extends Error {
  override readonly name = "CallTimeoutError";
}

/** Gives up a call that is silent for too long, except while it waits for the person. */
export class CallTimer {
  private readonly controller = new AbortController();
  private readonly startedAt = Date.now();
  private readonly last: NodeJS.Timeout;
  private idle: NodeJS.Timeout | undefined;
  private waiting = 0;

  constructor(
    private readonly idleMs: number,
    readonly longestMs: number,
  ) {
    this.last = setTimeout(() => this.giveUp(), longestMs).unref();
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(): void {
    clearTimeout(this.idle);
    if (this.waiting === 0) this.idle = setTimeout(() => this.giveUp(), this.idleMs).unref();
  }

  async pauseFor<T>(work: Promise<T>): Promise<T> {
    this.waiting++;
    clearTimeout(this.idle);
    try {
      return await work;
    } finally {
      this.waiting--;
      this.restart();
    }
  }

  spentMs(): number {
    return Date.now() - this.startedAt;
  }

  stop(): void {
    clearTimeout(this.idle);
    clearTimeout(this.last);
  }

  private giveUp(): void {
    this.controller.abort(new CallTimeoutError("the call took too long"));
  }
}

/** Rejects if the work takes longer. */
export async function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timed out")), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
