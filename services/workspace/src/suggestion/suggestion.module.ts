import {
  listSuggestedMessages,
  setSuggestedMessages,
  type In,
  type Out,
  type WorkspaceScope,
  type suggestedMessageWire,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import type { z } from "zod";
import { requireOwner, requireWorkspace, unknownWorkspace } from "../access/workspace-rights.ts";
import { cleanText } from "../preference/preference-reader.ts";
import { WorkspaceChanges, WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { SuggestedMessage } from "./suggested-message.entity.ts";

@Injectable()
class SuggestedMessageRepository {
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

@Controller()
class SuggestedMessageHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly messages: SuggestedMessageRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly changes: WorkspaceChanges,
  ) {}

  @Handle(listSuggestedMessages)
  async list(
    _input: In<typeof listSuggestedMessages>,
    context: RequestContext,
  ): Promise<Out<typeof listSuggestedMessages>> {
    const scope = requireWorkspace(context.scope);
    if ((await this.workspaces.find(scope)) === null) throw unknownWorkspace();
    return {
      success: true,
      suggestedMessages: (await this.messages.list(scope)).map(({ heading, message }) => ({
        heading,
        message,
      })),
    };
  }

  /** Replaces all messages, dropping empty ones. */
  @Handle(setSuggestedMessages)
  async set(
    input: In<typeof setSuggestedMessages>,
    context: RequestContext,
  ): Promise<Out<typeof setSuggestedMessages>> {
    const scope = requireWorkspace(context.scope);
    const messages = input.messages
      .map(({ heading, message }) => ({
        heading: cleanText(heading, 255),
        message: cleanText(message, 2_000, { lines: true }),
      }))
      .filter(({ heading, message }) => heading !== "" || message !== "");
    await this.dataSource.transaction(async (manager) => {
      if ((await this.workspaces.lock(scope, manager)) === null) throw unknownWorkspace();
      await this.messages.set(scope, manager, messages);
      await this.changes.record(manager, scope.workspace.id);
    });
    await this.changes.announce(scope.workspace.id);
    return { success: true, message: "Suggested messages saved successfully." };
  }
}

@Module({
  imports: [WorkspaceModule],
  controllers: [SuggestedMessageHandler],
  providers: [SuggestedMessageRepository],
})
export class SuggestionModule {}
