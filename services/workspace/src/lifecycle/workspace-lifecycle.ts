import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  clipText,
  isModelAllowed,
  workspaceCreated,
  workspaceDeleted,
  type Principal,
  type Scope,
  type WorkspaceScope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { Broadcast, Outbox, eventMessage } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { unknownWorkspace } from "../access/workspace-rights.ts";
import { EventLog } from "../event/event.repository.ts";
import { MemberRepository } from "../member/member.repository.ts";
import { AllowedModelReader } from "../preference/preference.module.ts";
import {
  DefaultPrompt,
  PromptHistoryRepository,
} from "../prompt-history/prompt-history.repository.ts";
import { WidgetRepository } from "../widget/widget.repository.ts";
import { WorkspaceChanges } from "../workspace/workspace-read.repository.ts";
import type { Workspace } from "../workspace/workspace.entity.ts";
import { mapWorkspaceToWire } from "../workspace/workspace.mapper.ts";
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
   * A model that is already set may be kept, but managers choose only among models that an admin
   * allows, and members only if an admin has allowed them to choose models at all.
   */
  private async requireAllowedModel(
    { principal: { role } }: WorkspaceScope,
    before: Workspace,
    after: Workspace,
  ): Promise<void> {
    await this.requireAllowed(role, chatModelOf(before), chatModelOf(after));
    await this.requireAllowed(role, agentModelOf(before), agentModelOf(after));
  }

  private async requireAllowed(
    role: Principal["role"],
    before: ChosenModel,
    { provider, model }: ChosenModel,
  ): Promise<void> {
    if (provider === before.provider && model === before.model) return;
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

interface ChosenModel {
  provider: string | null;
  model: string | null;
}
const chatModelOf = ({ chatProvider, chatModel }: Workspace): ChosenModel => ({
  provider: chatProvider,
  model: chatModel,
});
const agentModelOf = ({ agentProvider, agentModel }: Workspace): ChosenModel => ({
  provider: agentProvider,
  model: agentModel,
});

const longestName = 255;

/** Creates and deletes workspaces for all routes. */
@Injectable()
export class WorkspaceLifecycle {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly members: MemberRepository,
    private readonly widgets: WidgetRepository,
    private readonly log: EventLog,
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  /** The creator becomes a member. */
  async create(
    scope: Scope,
    manager: EntityManager,
    givenName: string | null | undefined,
  ): Promise<WorkspaceWire> {
    const name = clipText((givenName ?? "").trim(), longestName);
    if (name === "") throw new CarrelError("workspace.name-missing");
    const workspace = await this.workspaces.create(scope, manager, name);
    await this.members.joinOwn(scope, manager, workspace.id);
    await this.log.record(manager, scope, "workspace_created", {
      workspaceId: workspace.id,
      workspaceName: workspace.name,
    });
    await this.outbox.add(manager, eventMessage(workspaceCreated, { workspaceId: workspace.id }));
    return mapWorkspaceToWire(workspace);
  }

  /** Throws DISABLED if the instance protects its workspaces (wire-contract 1.8). */
  requireDeletable(): void {
    if (this.config.WORKSPACE_DELETION_PROTECTION)
      throw new CarrelError("workspace.deletion-blocked");
  }

  /**
   * Deletes the workspace for everyone immediately; a tombstone remains until chat and ingest have
   * deleted their data. Null if it was already deleted.
   */
  async remove(
    scope: WorkspaceScope,
    manager: EntityManager,
  ): Promise<{ pictureKey: string | null } | null> {
    const deleted = await this.workspaces.markDeleted(scope, manager);
    if (deleted === null) return null;
    await this.widgets.deleteOf(scope, manager, scope.workspace.id);
    await this.log.record(manager, scope, "workspace_deleted", {
      workspaceId: scope.workspace.id,
      workspaceName: deleted.name,
    });
    await this.outbox.add(
      manager,
      eventMessage(workspaceDeleted, { workspaceId: scope.workspace.id }),
    );
    return { pictureKey: deleted.pictureKey };
  }

  /** Call after the commit and before replying. */
  announceCreation(workspaceId: number): Promise<void> {
    return this.broadcast.invalidate(workspaceCreated, { workspaceId });
  }

  /** Call after the commit and before replying. */
  announceRemoval(workspaceId: number): Promise<void> {
    return this.broadcast.invalidate(workspaceDeleted, { workspaceId });
  }
}
