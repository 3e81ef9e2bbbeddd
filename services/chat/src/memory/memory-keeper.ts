import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { ExtractionRepository } from "./extraction.repository.ts";
import { MemoryRepository } from "./memory.repository.ts";

/** Batches the writes of answers that end at about the same time. */
const writeEveryMs = 500;
/** Maximum number waiting on one replica; beyond that, they are dropped. */
const maxWaiting = 10_000;

/**
 * Records which memories an answer used and which turns to extract new ones from, off its critical
 * path; losing that with a replica does not affect the answer.
 */
@Injectable()
export class MemoryKeeper implements OnModuleDestroy {
  private readonly used = new Set<number>();
  private readonly turns = new Set<number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly memories: MemoryRepository,
    private readonly extraction: ExtractionRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await this.write();
  }

  /**
   * Takes the IDs of memories in an answer's prompt, and its turn if a model may extract from it
   * (else null). Returns at once.
   */
  keep(used: readonly number[], turnId: number | null): void {
    if (this.used.size + this.turns.size >= maxWaiting) return;
    for (const id of used) this.used.add(id);
    if (turnId !== null) this.turns.add(turnId);
    if (this.used.size + this.turns.size > 0)
      this.timer ??= setTimeout(() => void this.write(), writeEveryMs).unref();
  }

  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return (this.writing = this.writing
      .then(async () => {
        const used = [...this.used],
          turns = [...this.turns];
        this.used.clear();
        this.turns.clear();
        if (used.length > 0) await this.memories.noteUsed(used);
        if (turns.length > 0) await this.extraction.add(turns);
      })
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't record which memories were used"),
      ));
  }
}
