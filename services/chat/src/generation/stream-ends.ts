import { Inject, Injectable } from "@nestjs/common";
import { Streams } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { completeStream, endDeletedStream } from "./complete-stream.ts";
import type { StoredAnswer } from "./frames.ts";

/** Ends the streams of answers that no longer have a writer. Never throws. */
@Injectable()
export class StreamEnds {
  constructor(
    private readonly streams: Streams,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Appends the closing frames. Readers of a lost stream fall back to PostgreSQL. */
  async write(stored: StoredAnswer): Promise<void> {
    await completeStream(this.streams, stored).catch((error: unknown) =>
      this.logger.warn(
        { err: error, generation: stored.generationId },
        "couldn't write the end of an answer to its stream",
      ),
    );
  }

  /** For answers whose conversation was deleted. If it fails, another replica retries later. */
  async writeDeleted(ids: readonly string[]): Promise<void> {
    await Promise.all(
      ids.map((id) =>
        endDeletedStream(this.streams, id).catch((error: unknown) =>
          this.logger.warn(
            { err: error, generation: id },
            "couldn't end the stream of a deleted answer",
          ),
        ),
      ),
    );
  }
}
