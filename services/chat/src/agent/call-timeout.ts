import { setTimeout as pause } from "node:timers/promises";
import { CarrelError, type FaultWire } from "@carrel/contracts";
import { ProviderError } from "@carrel/providers";
import { ToolError } from "@carrel/skills";

/** A time limit that stands still while a person is asked. */
export class CallTimeout {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  /** @param milliseconds null: no limit */
  constructor(private readonly milliseconds: number | null) {
    this.start();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async pauseDuring<T>(work: () => Promise<T>): Promise<T> {
    this.stop();
    try {
      return await work();
    } finally {
      this.start();
    }
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private start(): void {
    if (this.milliseconds !== null)
      this.timer = setTimeout(() => this.controller.abort(), this.milliseconds);
  }
}

/** Tools that notice that they are stopped say more about it, if they do so within this time, in ms. */
const patienceMs = 50;

/** Rejects once the signal aborts: a tool may not notice. */
export function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => {
      void pause(patienceMs).then(() => reject(new Error("aborted")));
    };
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
}

/**
 * What went wrong with a call, for the model and for the person.
 *
 * @param report called for faults that a tool should have described
 */
export function describeToolFault(
  error: unknown,
  report: (error: unknown) => void,
): { text: string; fault: FaultWire } {
  if (error instanceof ToolError)
    return { text: error.message, fault: error.fault ?? { code: "tool.failed" } };
  if (error instanceof CarrelError || error instanceof ProviderError) {
    const fault =
      error instanceof ProviderError ? error.fault : { code: error.code, params: error.params };
    return { text: error.message, fault };
  }
  report(error);
  return { text: "The tool failed.", fault: { code: "tool.failed" } };
}
