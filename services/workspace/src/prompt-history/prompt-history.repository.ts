import {
  builtInSystemPrompt,
  defaultPromptLabel,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { requireManager, requireOwner } from "../access/workspace-rights.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";
import { PromptHistoryEntry } from "./prompt-history.entity.ts";

/** The system prompt for workspaces without one. */
@Injectable()
export class DefaultPrompt {
  constructor(private readonly preferences: PreferenceRepository) {}

  /** The instance's default, or else the built-in prompt. */
  async read(scope: Scope, manager?: EntityManager): Promise<string> {
    const kept = await this.preferences.find(scope, defaultPromptLabel, manager);
    return typeof kept === "string" && kept.trim() !== "" ? kept : builtInSystemPrompt;
  }

  async isDefault(scope: Scope, prompt: string, manager?: EntityManager): Promise<boolean> {
    return prompt === builtInSystemPrompt || prompt === (await this.read(scope, manager));
  }
}

/** Limits per workspace, because the history is returned in one reply. */
const maxEntries = 100;
const maxBytes = 400_000;

@Injectable()
export class PromptHistoryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. The caller must have checked access to the workspace. */
  async list(scope: WorkspaceScope): Promise<PromptHistoryEntry[]> {
    return this.dataSource.manager.find(PromptHistoryEntry, {
      where: { workspaceId: scope.workspace.id },
      order: { id: "DESC" },
    });
  }

  /** Drops the oldest entries beyond the limits. */
  async add(scope: WorkspaceScope, manager: EntityManager, prompt: string): Promise<void> {
    requireOwner(scope);
    await manager.insert(PromptHistoryEntry, {
      workspaceId: scope.workspace.id,
      prompt,
      modifiedBy: scope.principal.userId,
    });
    await manager.query(
      `DELETE FROM workspace.prompt_history
      WHERE id IN (
        SELECT id
        FROM (
          SELECT id, row_number() OVER newest AS place,
            sum(octet_length(prompt)) OVER newest AS bytes
          FROM workspace.prompt_history
          WHERE workspace_id = $1 WINDOW newest AS (ORDER BY id DESC)
        ) kept
        WHERE place > $2 OR (bytes > $3 AND place > 1)
      )`,
      [scope.workspace.id, maxEntries, maxBytes],
    );
  }

  async clear(scope: WorkspaceScope): Promise<void> {
    requireOwner(scope);
    await this.dataSource.manager.delete(PromptHistoryEntry, { workspaceId: scope.workspace.id });
  }

  /**
   * Deletes an entry of an existing workspace; managers manage all of them. False if there is none.
   */
  async delete(scope: Scope, manager: EntityManager, id: number): Promise<boolean> {
    requireManager(scope);
    const [rows] = await manager.query<[unknown[], number]>(
      `DELETE FROM workspace.prompt_history h USING workspace.workspace w
      WHERE h.id = $1 AND w.id = h.workspace_id AND w.deleted_at IS NULL
      RETURNING h.id`,
      [id],
    );
    return rows.length > 0;
  }
}

@Module({
  imports: [PreferenceModule],
  providers: [DefaultPrompt, PromptHistoryRepository],
  exports: [DefaultPrompt, PromptHistoryRepository],
})
export class PromptHistoryModule {}
