import { Injectable } from "@nestjs/common";
import { leaseSeconds } from "../replica/replica.ts";
import { GenerationLeaseRepository } from "./generation-lease.repository.ts";

/** Interval for renewing and checking leases while any replica has answers to run or close. */
const tickMs = 1_000;
/**
 * Interval for detecting such answers otherwise: short enough to notice every lease before it
 * expires.
 */
const quietMs = leaseSeconds * 1_000 - tickMs;
/** Ticking continues for this long after the last answer. */
const lingerMs = 10_000;

/** Calls its listeners every second while any replica has running or queued answers. */
@Injectable()
export class GenerationClock {
  /** The argument says whether this replica has work. */
  private readonly listeners = new Map<() => void, () => boolean>();
  private timer: NodeJS.Timeout | undefined;
  private isQuiet = false;
  private busyUntil = 0;
  private looking: Promise<void> | null = null;

  constructor(private readonly leases: GenerationLeaseRepository) {}

  /**
   * While `hasWork` returns true, it ticks without asking PostgreSQL. Returns a function that
   * removes the listener.
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

  /** Checks for answers of other replicas. */
  private async look(): Promise<void> {
    // If PostgreSQL is unreachable, tick anyway: the listeners retry.
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
