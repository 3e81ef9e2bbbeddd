import type { suggestedMessageWire, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import type { z } from "zod";
import { requireOwner } from "../access/workspace-rights.ts";
import { SuggestedMessage } from "./suggested-message.entity.ts";

@Injectable()
export class SuggestedMessageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** In display order. The caller must have checked access to the workspace. */
  async list(scope: WorkspaceScope): Promise<SuggestedMessage[]> {
    return this.dataSource.manager.find(SuggestedMessage, {
      where: { workspaceId: scope.workspace.id },
      order: { position: "ASC" },
    });
  }

  /** Replaces all messages. The caller must hold the workspace's row lock. */
  async set(
    scope: WorkspaceScope,
    manager: EntityManager,
    messages: readonly z.output<typeof suggestedMessageWire>[],
  ): Promise<void> {
    requireOwner(scope);
    const workspaceId = scope.workspace.id;
    await manager.delete(SuggestedMessage, { workspaceId });
    if (messages.length > 0)
      await manager.insert(
        SuggestedMessage,
        messages.map(({ heading, message }, position) => ({
          workspaceId,
          position,
          heading,
          message,
        })),
      );
  }
}
