import {
  CarrelError,
  clipText,
  workspaceCreated,
  workspaceDeleted,
  type Scope,
  type WorkspaceScope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { Broadcast, eventMessage, Outbox } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import type { InstanceConfig } from "@carrel/config";
import { Inject, Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { EventLog } from "../event/event-log.ts";
import { MemberRepository } from "../member/member.repository.ts";
import { WidgetRepository } from "../widget/widget.repository.ts";
import { mapWorkspaceToWire } from "../workspace/workspace.mapper.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

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
