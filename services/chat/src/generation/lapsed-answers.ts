import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from "@nestjs/common";
import { Streams } from "@carrel/messaging";
import { metrics, type Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { completeStream, endDeletedStream, recoverAnswer } from "./complete-stream.ts";
import { DeletedGenerationRepository } from "./deleted-generation.repository.ts";
import { GenerationChanges } from "./generation-changes.ts";
import { GenerationLeaseRepository, type LapsedGeneration } from "./generation-lease.repository.ts";
import { deletedMessage } from "./stream-ends.ts";

/** How often it is looked for answers whose replica is gone. */
const lookMs = 1_000;
/**
 * Who deletes a conversation ends the streams of its answers; after so long another one sees to it.
 */
const deletedSeconds = 2;
/** How long one of them may take: Redis may be away, and then it is tried again. */
const patienceMs = 3_000;
const message =
  "The answer broke off because the part of Carrel that was writing it stopped. The text so far was kept.";
const closedCounter = metrics.counter(
  "carrel_generations_lapsed_total",
  "Answers of replicas that were gone, closed by this one",
);

/**
 * Ends answers whose replica died, each once, by any replica. The text that was shown may be newer
 * than the text that was
 * saved: it is taken from the stream, so that nothing that somebody has read is lost. An answer
 * that was finished, but
 * whose stream has no end, gets its end, and so does one whose conversation was deleted.
 */
@Injectable()
export class LapsedAnswers implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private closing: Promise<void> | null = null;

  constructor(
    private readonly leases: GenerationLeaseRepository,
    private readonly deleted: DeletedGenerationRepository,
    private readonly changes: GenerationChanges,
    private readonly streams: Streams,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), lookMs);
    this.look();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.closing;
  }

  private look(): void {
    this.closing ??= this.close()
      .catch((error: unknown) =>
        this.logger.warn(
          { err: error },
          "answers of replicas that are gone could not be closed, trying again",
        ),
      )
      .finally(() => {
        this.closing = null;
      });
  }

  private async close(): Promise<void> {
    const lapsed = await this.leases.takeLapsed();
    const closed = (
      await Promise.all(
        lapsed.map(async (generation) => {
          try {
            await inTime(this.closeOne(generation));
            return generation.id;
          } catch (error) {
            this.logger.warn(
              { err: error, generation: generation.id },
              "the answer of a replica that is gone could not be closed, trying again",
            );
            return null;
          }
        }),
      )
    ).filter((id) => id !== null);
    const left = lapsed.map(({ id }) => id).filter((id) => !closed.includes(id));
    await Promise.all([this.leases.drop(closed), this.leases.lapse(left)]);
    await this.endDeleted();
  }

  /** May be done by several at once, and again. */
  private async endDeleted(): Promise<void> {
    const ids = await this.deleted.list(deletedSeconds);
    const ended = await Promise.all(
      ids.map(async (id) => {
        try {
          let isEnded = false;
          await inTime(
            endDeletedStream(this.streams, id, deletedMessage).then((done) => {
              isEnded = done;
            }),
          );
          return isEnded ? [id] : [];
        } catch (error) {
          this.logger.warn(
            { err: error, generation: id },
            "the stream of a deleted answer could not be ended, trying again",
          );
          return [];
        }
      }),
    );
    await this.deleted.forget(ended.flat());
  }

  private async closeOne({ id, state }: LapsedGeneration): Promise<void> {
    const shown =
      state === "running"
        ? await recoverAnswer(this.streams, id)
        : { text: "", notices: [], sources: null };
    const stored = await this.leases.closeLapsed({ id, ...shown, message });
    if (stored === null) return; // deleted meanwhile, or another replica's by now
    if (state === "running") {
      this.logger.warn({ generation: id }, "closed the answer of a replica that is gone");
      closedCounter.inc();
      this.changes.tell(stored, stored.state);
    }
    await completeStream(this.streams, {
      ...stored,
      generationId: stored.id,
      chatId: stored.turnId,
    });
  }
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${patienceMs} ms`)), patienceMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
