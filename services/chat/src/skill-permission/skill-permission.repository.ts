import { maxSkillPermissions, type Principal, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** Only people approve: API keys and Carrel's own jobs have no permissions. */
const isPerson = ({ kind }: Principal): boolean => kind === "user" || kind === "instance";

export interface SkillPermission {
  skill: string;
  createdAt: Date;
}

/** Tools that people have allowed without further approvals; every statement names the owner. */
@Injectable()
export class SkillPermissionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** By name; none for principals that aren't people. */
  async list({ principal }: Scope): Promise<SkillPermission[]> {
    if (!isPerson(principal)) return [];
    return queryRows<SkillPermission>(
      this.dataSource,
      `SELECT skill, created_at AS "createdAt"
      FROM chat.skill_permission
      WHERE user_id IS NOT DISTINCT FROM $1::int
      ORDER BY skill
      LIMIT $2`,
      [principal.userId, maxSkillPermissions],
    );
  }

  /** False if the principal is no person, has allowed as many as possible, or allowed it before. */
  async add({ principal }: Scope, manager: EntityManager, skill: string): Promise<boolean> {
    if (!isPerson(principal)) return false;
    const rows = await queryRows(
      manager,
      `INSERT INTO chat.skill_permission (user_id, skill)
      SELECT $1::int, $2
      WHERE $3 > (
        SELECT count(*) FROM chat.skill_permission WHERE user_id IS NOT DISTINCT FROM $1::int
      )
      ON CONFLICT DO NOTHING
      RETURNING skill`,
      [principal.userId, skill, maxSkillPermissions],
    );
    return rows.length > 0;
  }

  /** False if there is no such permission. */
  async remove({ principal }: Scope, manager: EntityManager, skill: string): Promise<boolean> {
    const rows = await queryRows(
      manager,
      `DELETE FROM chat.skill_permission
      WHERE user_id IS NOT DISTINCT FROM $1::int AND skill = $2
      RETURNING skill`,
      [principal.userId, skill],
    );
    return rows.length > 0;
  }

  async deleteOfUser(userId: number): Promise<void> {
    await this.dataSource.query("DELETE FROM chat.skill_permission WHERE user_id = $1", [userId]);
  }
}
