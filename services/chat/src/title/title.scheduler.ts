import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import { generationChanged, titleThread, type EventPayload } from "@carrel/contracts";
import { Broadcast, jobMessage, Outbox, Reconciler, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { DataSource } from "typeorm";
import { TitleRepository } from "./title.repository.ts";

const batch = 200;

/**
 * Schedules a title when a thread has its first answer: at once on the broadcast of its end, and
 * within a minute from PostgreSQL if that was lost.
 */
@Injectable()
export class TitleScheduler
  extends Reconciler
  implements OnApplicationBootstrap, OnApplicationShutdown
{
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly titles: TitleRepository,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.stopListening = this.broadcast.on(`event:${generationChanged.name}`, (payload) => {
      const { threadId, state } = payload as EventPayload<typeof generationChanged>;
      if (state === "done")
        this.order(threadId).catch((error: unknown) =>
          this.logger.debug({ err: error }, "couldn't schedule a title yet"),
        );
    });
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }

  override async due(): Promise<OutboxMessage[]> {
    return (await this.titles.listDue(batch)).map(message);
  }

  /** Every replica receives the broadcast; the job ID deduplicates. */
  private async order(threadId: number): Promise<void> {
    const due = await this.titles.findDue(threadId);
    if (due !== null) await this.outbox.add(this.dataSource.manager, message(due));
  }
}

const message = ({ id, turnId }: { id: number; turnId: number }): OutboxMessage =>
  jobMessage(titleThread, { rowId: id, version: turnId, payload: { threadId: id, turnId } });
