import { OwnerTransfer } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";

const ownedBy = { ownerColumn: "user_id", createdColumn: "created_at" };

/** Makes the first admin the owner of documents and thread files from single-user mode. */
@Injectable()
export class DocumentOwnerTransfer extends OwnerTransfer {
  constructor(dataSource: DataSource, @Inject(LOGGER) logger: Logger) {
    super(dataSource, {
      schema: "ingest",
      tables: [
        { table: "document", ...ownedBy },
        { table: "workspace_document", ...ownedBy },
        { table: "parsed_file", ...ownedBy },
      ],
      logger,
    });
  }
}
