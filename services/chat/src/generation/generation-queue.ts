import { Inject, Injectable } from "@nestjs/common";
import { Streams, type StreamWriter } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { GenerationLeaseRepository } from "./generation-lease.repository.ts";
import { streamKey } from "./generation-output.ts";
import type { RunnableGeneration } from "./runnable-generation.ts";

const redisTimeoutMs = 2_000;

/** Claims queued generations and continues their streams on this replica. */
@Injectable()
export class GenerationQueue {
  constructor(
    private readonly leases: GenerationLeaseRepository,
    private readonly streams: Streams,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns whether any generation was waiting, even if it couldn't be claimed.
   *
   * @param running IDs of the generations that this replica runs
   */
  async claim(
    limit: number,
    running: readonly string[],
    run: (generation: RunnableGeneration, writer: StreamWriter) => void,
  ): Promise<boolean> {
    if (!(await this.leases.existQueued())) return false;
    const claimed = await this.leases.claimQueued(limit, running);
    await Promise.all(
      claimed.map(async (generation) => {
        try {
          run(generation, await this.resumeStream(generation.id));
        } catch (error) {
          this.logger.warn(
            { err: error, generation: generation.id },
            "returned a queued answer to the queue",
          );
          await this.leases.putBack(generation.id);
        }
      }),
    );
    return true;
  }

  private async resumeStream(id: string): Promise<StreamWriter> {
    const writer = await Promise.race([
      this.streams.resumeWriter(streamKey(id)),
      rejectAfter(redisTimeoutMs, "Redis isn't responding"),
    ]);
    return writer ?? this.streams.writer(streamKey(id));
  }
}

/** The timer does not keep the process alive. */
const rejectAfter = (milliseconds: number, message: string): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(message)), milliseconds).unref();
  });
