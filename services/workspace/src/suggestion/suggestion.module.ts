import { listSuggestedMessages, setSuggestedMessages, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Module, Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { requireWorkspace, unknownWorkspace } from "../access/workspace-rights.ts";
import { cleanText } from "../preference/preference-value.ts";
import { WorkspaceChanges } from "../workspace/workspace-changes.ts";
import { WorkspaceModule } from "../workspace/workspace.module.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { SuggestedMessageRepository } from "./suggested-message.repository.ts";

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
