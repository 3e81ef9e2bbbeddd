import {
  confirmWorkspaceDeleted,
  servicePrincipal,
  workspaceDeleted,
  type EventPayload,
} from "@carrel/contracts";
import { Consume, RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { WorkspaceDocumentRemoval } from "../document/workspace-document-removal.ts";
import { IndexGarbage } from "../index/index-garbage.ts";
import { IndexSweeper } from "../index/index-sweeper.ts";
import { ParsedFileRepository } from "../parsed-file/parsed-file.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Deletes a workspace's document links and files; the documents stay in the library. */
@Injectable()
export class WorkspaceDeletedConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly removal: WorkspaceDocumentRemoval,
    private readonly garbage: IndexGarbage,
    private readonly sweeper: IndexSweeper,
    private readonly files: ParsedFileRepository,
    private readonly client: RequestClient,
  ) {}

  @Consume(workspaceDeleted)
  async consume({ workspaceId }: EventPayload<typeof workspaceDeleted>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.removal.removeWorkspace(scope, manager, workspaceId);
      await this.garbage.addWorkspace(scope, manager, workspaceId);
    });
    await this.files.deleteOfWorkspace(scope, workspaceId);
    await this.sweeper.sweep({ workspaceId, version: 0 });
    await this.client.request(
      confirmWorkspaceDeleted,
      { workspaceId, service: "ingest" },
      { scope },
    );
  }
}
