import { multiUserEnabled, type EventPayload } from "@carrel/contracts";
import { OwnerTransfer } from "@carrel/database";
import { Consume, Reconciler, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { DataSource } from "typeorm";

const ownedBy = { ownerColumn: "user_id", createdColumn: "created_at" };

/** Makes the first admin the owner of documents and thread files from single-user mode. */
@Injectable()
export class DocumentOwnerTransfer extends Reconciler implements OnModuleDestroy {
  private readonly transfer: OwnerTransfer;

  constructor(dataSource: DataSource, @Inject(LOGGER) logger: Logger) {
    super();
    this.transfer = new OwnerTransfer(dataSource, {
      schema: "ingest",
      tables: [
        { table: "document", ...ownedBy },
        { table: "workspace_document", ...ownedBy },
        { table: "parsed_file", ...ownedBy },
      ],
      onError: (error) =>
        logger.warn({ err: error }, "documents couldn't be transferred, will be retried"),
    });
  }

  @Consume(multiUserEnabled)
  async start({ adminId, at }: EventPayload<typeof multiUserEnabled>): Promise<void> {
    await this.transfer.start(adminId, at);
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.transfer.resume();
    return [];
  }

  async onModuleDestroy(): Promise<void> {
    await this.transfer.stop();
  }
}
