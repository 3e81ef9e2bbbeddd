import { findMissingUsers, servicePrincipal, userDeleted } from "@carrel/contracts";
import {
  OrphanReconciler,
  RequestClient,
  eventMessage,
  type OutboxMessage,
} from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import { BlobModule } from "../blob/blob.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { ParsedFileRemover } from "./parsed-file-remover.ts";
import { ParsedFileHandler } from "./parsed-file.handler.ts";
import { ParsedFileRepository } from "./parsed-file.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Deletes thread files of users whose deletion was lost in Redis; the library keeps its documents,
 * whoever uploaded them.
 */
@Injectable()
export class UserOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly files: ParsedFileRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.files.listUserIds(scope, after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    return (await this.requests.request(findMissingUsers, { ids }, { scope })).ids;
  }

  protected override deletionOf(userId: number): OutboxMessage {
    return eventMessage(userDeleted, { userId });
  }
}

@Module({
  imports: [BlobModule, DocumentModule],
  controllers: [ParsedFileHandler],
  providers: [ParsedFileRemover, ParsedFileRepository, UserOrphanReconciler],
  exports: [ParsedFileRepository],
})
export class ParsedFileModule {}
