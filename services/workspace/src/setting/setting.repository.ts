import { CarrelError, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { Setting } from "./setting.entity.ts";

/** Only services and admins may access settings; repeats their operations' policies. */
function requireAdmin(scope: Scope): void {
  if (scope.principal.role !== "admin") throw new CarrelError("access.forbidden");
}

@Injectable()
export class SettingRepository {
  constructor(private readonly dataSource: DataSource) {}

  list(scope: Scope, manager: EntityManager = this.dataSource.manager): Promise<Setting[]> {
    requireAdmin(scope);
    return manager.find(Setting, { order: { key: "ASC" } });
  }

  /**
   * Locks the table until the transaction ends, so that concurrent updates are planned one after
   * the other.
   */
  async lock(scope: Scope, manager: EntityManager): Promise<void> {
    requireAdmin(scope);
    await manager.query(`LOCK TABLE workspace.setting IN SHARE ROW EXCLUSIVE MODE`);
  }

  /**
   * Deletes the setting if both are null, but keeps the row so that the version never decreases.
   */
  async save(
    scope: Scope,
    manager: EntityManager,
    key: string,
    content: { value: string | null; sealed: string | null },
  ): Promise<void> {
    requireAdmin(scope);
    await manager.query(
      `INSERT INTO workspace.setting (key, value, sealed)
      VALUES ($1, $2, $3)
      ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, sealed = EXCLUDED.sealed,
        version = EXCLUDED.version, updated_at = now()`,
      [key, content.value, content.sealed],
    );
  }
}
