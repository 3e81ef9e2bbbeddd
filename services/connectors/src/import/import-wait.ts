import { CarrelError, importFinished, type Out, type registerDocument } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { Import } from "./import.entity.ts";
import { ImportRepository } from "./import.repository.ts";

/** Interval at which a waiting request polls PostgreSQL, in case the broadcast was lost. */
const pollMs = 1_000;

/** Waits for imports, whichever replica runs them. */
@Injectable()
export class ImportWait implements OnModuleDestroy {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly stop: () => void;

  constructor(
    private readonly imports: ImportRepository,
    broadcast: Broadcast,
  ) {
    this.stop = broadcast.on(`event:${importFinished.name}`, (payload) => {
      const { importId } = importFinished.payload.parse(payload);
      for (const wake of this.waiting.get(importId) ?? []) wake();
    });
  }

  onModuleDestroy(): void {
    this.stop();
  }

  /**
   * The documents of a successful import, in the order of its items. Throws the fault of a failed
   * one, and TIMEOUT when `signal` aborts; the import continues then.
   */
  async forDocuments(id: string, signal: AbortSignal): Promise<Out<typeof registerDocument>[]> {
    const { fault } = await this.forEnd(id, signal);
    if (fault !== null) throw CarrelError.fromFault(fault);
    const items = await this.imports.listItems(id, "done");
    return items.map(({ document }) => document!);
  }

  private async forEnd(id: string, signal: AbortSignal): Promise<Import> {
    let wake: () => void = () => undefined;
    const listener = (): void => wake();
    const listeners = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, listeners.add(listener));
    signal.addEventListener("abort", listener, { once: true });
    try {
      for (;;) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const row = await this.imports.find(id);
        if (row === null) throw new CarrelError("request.given-up");
        if (row.finishedAt !== null) return row;
        if (signal.aborted) throw new CarrelError("request.timed-out");
        const timer = setTimeout(() => wake(), pollMs);
        await woken;
        clearTimeout(timer);
      }
    } finally {
      signal.removeEventListener("abort", listener);
      listeners.delete(listener);
      if (listeners.size === 0) this.waiting.delete(id);
    }
  }
}
