import { Broadcast } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { StepReply } from "./run-step.repository.ts";
import { RunStepRepository } from "./run-step.repository.ts";

const channel = "chat.step.reply";
/** How often to look although nothing was broadcast, in ms: a lost broadcast delays a run by this. */
const lookEveryMs = 2_000;

/** Waits for what people say to steps; PostgreSQL has it, a broadcast says when to look. */
@Injectable()
export class StepReplies {
  constructor(
    private readonly steps: RunStepRepository,
    private readonly broadcast: Broadcast,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Call when a reply has been written. */
  announce(generationId: string): void {
    this.broadcast
      .publish(channel, generationId)
      .catch((error: unknown) => this.logger.debug({ err: error }, "couldn't broadcast a reply"));
  }

  /**
   * Returns the reply, or null if there is none when the time is up. Throws if aborted. A call that
   * was approved may ask for answers later.
   */
  async wait(o: {
    awaited: "decision" | "answers";
    generationId: string;
    turnId: number;
    position: number;
    expiresAt: Date;
    signal: AbortSignal;
  }): Promise<StepReply | null> {
    let wake: () => void = () => undefined;
    const stop = this.broadcast.on(channel, (id) => {
      if (id === o.generationId) wake();
    });
    const onAbort = (): void => wake();
    o.signal.addEventListener("abort", onAbort);
    try {
      for (;;) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        o.signal.throwIfAborted();
        const reply = await this.steps.findReply(o.turnId, o.position);
        if (reply[o.awaited] !== null) return reply;
        const left = o.expiresAt.getTime() - Date.now();
        if (left <= 0) return null;
        let timer: NodeJS.Timeout | undefined;
        const later = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, Math.min(left + 5, lookEveryMs));
        });
        await Promise.race([woken, later]);
        clearTimeout(timer);
      }
    } finally {
      stop();
      o.signal.removeEventListener("abort", onAbort);
    }
  }
}
