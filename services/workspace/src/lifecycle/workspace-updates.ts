import { CarrelError, isModelAllowed, type WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { unknownWorkspace } from "../access/workspace-rights.ts";
import { AllowedModelReader } from "../preference/allowed-model-reader.ts";
import { DefaultPrompt } from "../prompt-history/default-prompt.ts";
import { PromptHistoryRepository } from "../prompt-history/prompt-history.repository.ts";
import { WorkspaceChanges } from "../workspace/workspace-changes.ts";
import type { Workspace } from "../workspace/workspace.entity.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

/** Changes a workspace's own settings. */
@Injectable()
export class WorkspaceUpdates {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly changes: WorkspaceChanges,
    private readonly defaultPrompt: DefaultPrompt,
    private readonly promptHistory: PromptHistoryRepository,
    private readonly allowed: AllowedModelReader,
  ) {}

  /** Records the change and the previous prompt in the same transaction. */
  async apply(
    scope: WorkspaceScope,
    manager: EntityManager,
    columns: Partial<Workspace>,
  ): Promise<Workspace> {
    const before = await this.workspaces.lock(scope, manager);
    const workspace =
      before === null ? null : await this.workspaces.update(scope, manager, columns);
    if (before === null || workspace === null) throw unknownWorkspace();
    if (scope.principal.role !== "admin") await this.requireAllowedModel(scope, before, workspace);
    if (
      before.systemPrompt !== null &&
      workspace.systemPrompt !== before.systemPrompt &&
      !(await this.defaultPrompt.isDefault(scope, before.systemPrompt, manager))
    )
      await this.promptHistory.add(scope, manager, before.systemPrompt);
    await this.changes.record(manager, workspace.id);
    return workspace;
  }

  /**
   * A model that is set may be kept, but managers choose only among those that an admin allows, and
   * members only if an admin lets them choose models at all.
   */
  private async requireAllowedModel(
    { principal: { role } }: WorkspaceScope,
    before: Workspace,
    after: Workspace,
  ): Promise<void> {
    const { chatProvider: provider, chatModel: model } = after;
    if (provider === before.chatProvider && model === before.chatModel) return;
    if (role === "default" && !(await this.allowed.mayMembersChoose()))
      throw new CarrelError("access.models-by-managers");
    if (provider === null && model === null) return;
    const allowed = await this.allowed.read();
    // A workspace without a provider uses the instance's, which can change, so all limits apply.
    const providers = provider === null ? Object.keys(allowed) : [provider];
    if (!providers.every((each) => isModelAllowed(allowed, { provider: each, model })))
      throw new CarrelError("provider.model-not-allowed", { model: model ?? provider! });
  }
}
