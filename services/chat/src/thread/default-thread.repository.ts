import { randomUUID } from "node:crypto";
import type { In, updateDefaultThread, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { stripNullCharacters } from "../database/null-character.ts";
import { queryRows } from "../database/query-rows.ts";
import { defaultThreadName } from "./thread.entity.ts";
import { ThreadRepository } from "./thread.repository.ts";

/** Name of a former default thread, unless it has one. */
const formerName = "Default thread";

/** The thread without a slug that each person has in each workspace. */
@Injectable()
export class DefaultThreadRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
  ) {}

  /** Creates it if missing. */
  async update(
    scope: WorkspaceScope,
    { name, pinned, archived }: In<typeof updateDefaultThread>,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const known = await this.threads.find(scope, null, manager);
      const id = known?.id ?? (await this.threads.lock(manager, scope, null));
      await manager.query(
        `UPDATE thread SET name = coalesce($2, name),
          named_by = CASE WHEN $2::text IS NULL THEN named_by ELSE 'person' END,
          pinned_at = CASE
            WHEN $4::boolean OR NOT $3::boolean THEN NULL
            WHEN $3 THEN coalesce(pinned_at, now())
            ELSE pinned_at
          END,
          archived_at = CASE
            WHEN NOT $4 THEN NULL
            WHEN $4 THEN coalesce(archived_at, now())
            ELSE archived_at
          END
        WHERE id = $1`,
        [
          id,
          name === undefined ? null : stripNullCharacters(name) || null,
          pinned ?? null,
          archived ?? null,
        ],
      );
    });
  }

  /**
   * Turns it into an ordinary thread and returns its slug; the next question creates another
   * default.
   */
  async release(manager: EntityManager, scope: WorkspaceScope): Promise<string | null> {
    const rows = await queryRows<{ slug: string }>(
      manager,
      `UPDATE thread SET slug = $3, name = CASE WHEN name = $4 THEN $5 ELSE name END,
        named_by = coalesce(named_by, 'question')
      WHERE workspace_id = $1
        AND user_id IS NOT DISTINCT FROM $2
        AND slug IS NULL
        AND channel IS NULL
      RETURNING slug`,
      [scope.workspace.id, scope.principal.userId, randomUUID(), defaultThreadName, formerName],
    );
    return rows[0]?.slug ?? null;
  }
}
