import { Injectable } from "@nestjs/common";
import { GenerationLeaseRepository } from "./generation-lease.repository.ts";
import { leaseSeconds } from "./replica.ts";

/** How often leases are renewed and checked while any replica has answers to run or to close. */
const tickMs = 1_000;
/** How often to look for such answers otherwise: each lease is noticed before it can expire. */
const quietMs = leaseSeconds * 1_000 - tickMs;
/** Ticks go on for this long after the last answer. */
const lingerMs = 10_000;

/** Calls its listeners every second while answers run or wait on any replica. */
@Injectable()
export class GenerationClock {
  /** With whether there is work on this replica. */
  private readonly listeners = new Map<() => void, () => boolean>();
  private timer: NodeJS.Timeout | undefined;
  private isQuiet = false;
  private busyUntil = 0;
  private looking: Promise<void> | null = null;

  constructor(private readonly leases: GenerationLeaseRepository) {}

  /**
   * While `hasWork` says so, PostgreSQL isn't asked whether to tick. Returns the function that ends
   * this.
   */
  onTick(listener: () => void, hasWork: () => boolean = () => false): () => void {
    this.listeners.set(listener, hasWork);
    if (this.listeners.size === 1) this.schedule(0);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) clearTimeout(this.timer);
    };
  }

  /** Call when this replica gets an answer to run. */
  wake(): void {
    if (this.isQuiet) this.schedule(tickMs);
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    if (this.listeners.size === 0) return;
    this.isQuiet = delayMs > tickMs;
    this.timer = setTimeout(() => this.tick(), delayMs);
  }

  private tick(): void {
    this.schedule(tickMs);
    if (this.hasWork) this.busyUntil = Date.now() + lingerMs;
    else
      this.looking ??= this.look().finally(() => {
        this.looking = null;
      });
    if (this.isBusy) this.notify();
  }

  /** Looks for answers of other replicas. */
  private async look(): Promise<void> {
    // If PostgreSQL can't say, the listeners find out.
    const isFound = await this.leases.existAny().catch(() => true);
    const { isBusy } = this;
    if (isFound) this.busyUntil = Date.now() + lingerMs;
    if (isFound && !isBusy) this.notify();
    if (!isFound && !isBusy && !this.hasWork) this.schedule(quietMs);
  }

  private notify(): void {
    for (const listener of this.listeners.keys()) listener();
  }

  private get hasWork(): boolean {
    return [...this.listeners.values()].some((hasWork) => hasWork());
  }

  private get isBusy(): boolean {
    return Date.now() < this.busyUntil;
  }
}
