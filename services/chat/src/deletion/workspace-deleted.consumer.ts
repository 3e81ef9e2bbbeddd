import { Injectable } from "@nestjs/common";
import {
  confirmWorkspaceDeleted,
  servicePrincipal,
  workspaceDeleted,
  type EventPayload,
} from "@carrel/contracts";
import { Consume, RequestClient } from "@carrel/messaging";
import { GenerationStopper } from "../generation/generation-stopper.ts";
import { MemoryRepository } from "../memory/memory.repository.ts";
import { ShareRepository } from "../share/share.repository.ts";
import { DeletionRepository } from "./deletion.repository.ts";

const batch = 500;

/**
 * When a workspace is deleted, ends its links, stops its runs, deletes its threads, turns and
 * memories, and announces that. Idempotent.
 */
@Injectable()
export class WorkspaceDeletedConsumer {
  constructor(
    private readonly deletions: DeletionRepository,
    private readonly stopper: GenerationStopper,
    private readonly memories: MemoryRepository,
    private readonly shares: ShareRepository,
    private readonly requests: RequestClient,
  ) {}

  @Consume(workspaceDeleted)
  async delete({ workspaceId }: EventPayload<typeof workspaceDeleted>): Promise<void> {
    await this.shares.deleteOfWorkspace(workspaceId);
    await this.stopper.endDeleted(await this.stopper.stopAll({ workspaceId }));
    while ((await this.deletions.deleteWorkspaceBatch(workspaceId, batch)) > 0);
    await this.memories.deleteOfWorkspace(workspaceId);
    await this.requests.request(
      confirmWorkspaceDeleted,
      { workspaceId, service: "chat" },
      { scope: { principal: servicePrincipal, workspace: null } },
    );
  }
}
