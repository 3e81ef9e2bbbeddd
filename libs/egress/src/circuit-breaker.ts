import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  isBrokenCircuitError,
} from "cockatiel";

/**
 * How many failures in a row open the breaker, and the first and the longest interval before the
 * target is tried again, in ms.
 */
const defaults = { failures: 1, firstMs: 1_000, longestMs: 15_000 };

/**
 * Rejects calls at once while their target can't be reached, with the error of the last call. At
 * growing intervals, one call is let through; if it reaches the target, all others follow.
 */
export class CircuitBreaker<Fault extends Error> {
  private readonly policy;
  private lastFault: Fault | null = null;

  /**
   * `isUnreachable` distinguishes errors of an unreachable target from errors of one that responds.
   */
  constructor(
    private readonly isUnreachable: (fault: unknown) => fault is Fault,
    options: Partial<typeof defaults> = {},
  ) {
    const { failures, firstMs, longestMs } = { ...defaults, ...options };
    this.policy = circuitBreaker(handleWhen(isUnreachable), {
      halfOpenAfter: new ExponentialBackoff({ initialDelay: firstMs, maxDelay: longestMs }),
      breaker: new ConsecutiveBreaker(failures),
    });
  }

  /** Why the target couldn't be reached; null if the last call reached it. */
  get fault(): Fault | null {
    return this.policy.state === CircuitState.Closed ? null : this.lastFault;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    // The policy would make other calls wait for the call that tries the target.
    if (this.policy.state === CircuitState.HalfOpen) throw this.lastFault!;
    try {
      return await this.policy.execute(work);
    } catch (fault) {
      if (isBrokenCircuitError(fault)) throw this.lastFault!;
      if (this.isUnreachable(fault)) this.lastFault = fault;
      throw fault;
    }
  }
}
