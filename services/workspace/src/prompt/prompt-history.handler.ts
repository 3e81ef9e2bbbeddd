import {
  clearPromptHistory,
  deletePromptHistoryEntry,
  listPromptHistory,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { requireWorkspace, unknownWorkspace } from "../access/workspace-rights.ts";
import { PromptHistoryRepository } from "../prompt-history/prompt-history.repository.ts";
import { UserDirectory } from "../user/user-directory.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

/** Earlier system prompts of a workspace. */
@Controller()
export class PromptHistoryHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly history: PromptHistoryRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly users: UserDirectory,
  ) {}

  @Handle(listPromptHistory)
  async list(
    _input: In<typeof listPromptHistory>,
    context: RequestContext,
  ): Promise<Out<typeof listPromptHistory>> {
    const scope = requireWorkspace(context.scope);
    if ((await this.workspaces.find(scope)) === null) throw unknownWorkspace();
    const entries = await this.history.list(scope);
    const users = await this.users.find(entries.flatMap(({ modifiedBy }) => modifiedBy ?? []));
    return {
      history: entries.map(({ id, workspaceId, prompt, modifiedBy, modifiedAt }) => {
        const user = modifiedBy === null ? undefined : users.get(modifiedBy);
        return {
          id,
          workspaceId,
          prompt,
          modifiedBy,
          modifiedAt: modifiedAt.toISOString(),
          user: user === undefined ? null : { username: user.username },
        };
      }),
    };
  }

  @Handle(clearPromptHistory)
  async clear(
    _input: In<typeof clearPromptHistory>,
    context: RequestContext,
  ): Promise<Out<typeof clearPromptHistory>> {
    const scope = requireWorkspace(context.scope);
    if ((await this.workspaces.find(scope)) === null) throw unknownWorkspace();
    await this.history.clear(scope);
    return { success: true };
  }

  /** The path names no workspace, so the entry itself determines it. */
  @Handle(deletePromptHistoryEntry)
  async delete(
    { id }: In<typeof deletePromptHistoryEntry>,
    context: RequestContext,
  ): Promise<Out<typeof deletePromptHistoryEntry>> {
    return keyed(this.dataSource, context, async (manager) => ({
      success: await this.history.delete(context.scope, manager, id),
    }));
  }
}
