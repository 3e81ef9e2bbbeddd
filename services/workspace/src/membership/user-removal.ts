import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { MemberRepository } from "../member/member.repository.ts";
import { PresetRepository } from "../preset/preset.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { MemberChanges } from "./member-changes.ts";
import { UserReferenceRepository } from "./user-reference.repository.ts";

/**
 * Removes a deleted user: their memberships and commands are deleted, and everything else they
 * owned or created stays without an owner.
 */
@Injectable()
export class UserRemoval {
  constructor(
    private readonly dataSource: DataSource,
    private readonly workspaces: WorkspaceRepository,
    private readonly members: MemberRepository,
    private readonly presets: PresetRepository,
    private readonly references: UserReferenceRepository,
    private readonly changes: MemberChanges,
  ) {}

  async remove(scope: Scope, userId: number): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Workspace rows are always locked before member rows, to avoid deadlocks.
      await this.workspaces.disown(scope, manager, userId);
      await this.members.removeUser(scope, manager, userId);
      await this.presets.removeUser(scope, manager, userId);
      await this.references.clear(scope, manager, userId);
      await this.changes.record(manager, null, [userId]);
    });
    await this.changes.announce(null, [userId]);
  }
}
