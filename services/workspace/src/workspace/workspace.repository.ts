import { randomInt, randomUUID } from "node:crypto";
import { CarrelError, agentLabels, type Scope, type WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import slugify from "slugify";
import {
  DataSource,
  In,
  IsNull,
  LessThan,
  type EntityManager,
  type SelectQueryBuilder,
} from "typeorm";
import {
  managesAll,
  requireManager,
  requireOwner,
  requireService,
  rowIds,
} from "../access/workspace-rights.ts";
import { Workspace } from "./workspace.entity.ts";

// The package is CommonJS with a `default` property; under NodeNext its types describe the module
// object.
const convert = slugify as unknown as typeof slugify.default;

/**
 * The name in lower case with hyphens between words; a UUID if it has no letter that can be
 * transliterated to Latin (wire-contract 3.2).
 */
export const buildSlug = (name: string): string =>
  convert(name, { lower: true, strict: true }).slice(0, 200).replace(/-+$/, "") || randomUUID();

/** Another slug for a name whose slug is taken. */
export const buildFreeSlug = (slug: string): string =>
  `${slug}-${randomInt(10_000_000, 100_000_000)}`;

/** Chat mode of new workspaces, as an admin decides. */
const newMode = `CASE
  WHEN EXISTS (SELECT FROM workspace.preference p WHERE p.label = '${agentLabels.automatic}' AND p.value = 'true')
  THEN 'automatic' ELSE 'chat' END`;

@Injectable()
export class WorkspaceRepository {
  private readonly columns: string;

  constructor(private readonly dataSource: DataSource) {
    this.columns = dataSource
      .getMetadata(Workspace)
      .columns.map((column) => `w."${column.databaseName}" AS "${column.propertyName}"`)
      .join(", ");
  }

  list(scope: Scope): Promise<Workspace[]> {
    return this.visible(scope).orderBy("workspace.id").getMany();
  }

  /** Workspaces with the ids of their members. */
  async listWithMembers(
    scope: Scope,
    after: number | null,
    limit: number,
  ): Promise<(Workspace & { userIds: number[] })[]> {
    requireManager(scope);
    return this.dataSource.query<(Workspace & { userIds: number[] })[]>(
      `SELECT ${this.columns},
        ARRAY(
          SELECT m.user_id FROM workspace.workspace_member m
          WHERE m.workspace_id = w.id
          ORDER BY m.user_id
        ) AS "userIds"
      FROM workspace.workspace w
      WHERE w.deleted_at IS NULL AND w.id > $1 AND ($3::int[] IS NULL OR w.id = ANY($3))
      ORDER BY w.id LIMIT $2`,
      [after ?? 0, limit, scope.principal.workspaceIds ?? null],
    );
  }

  /** Lists the given workspaces that the caller may use. */
  listNames(scope: Scope, ids: readonly number[], manager?: EntityManager): Promise<Workspace[]> {
    return this.visible(scope, manager)
      .andWhere({ id: In(rowIds(ids)) })
      .orderBy("workspace.id")
      .getMany();
  }

  findBySlug(scope: Scope, slug: string): Promise<Workspace | null> {
    return this.visible(scope).andWhere("workspace.slug = :slug", { slug }).getOne();
  }

  findById(scope: Scope, id: number): Promise<Workspace | null> {
    return this.visible(scope).andWhere("workspace.id = :id", { id }).getOne();
  }

  /** The workspace in scope; null if it was deleted or the caller may no longer use it. */
  find(scope: WorkspaceScope): Promise<Workspace | null> {
    return this.findById(scope, scope.workspace.id);
  }

  /** Locks the workspace's members until the transaction ends; false if it was deleted. */
  async hold(scope: Scope, manager: EntityManager, id: number): Promise<boolean> {
    requireManager(scope);
    return (
      (await manager.findOne(Workspace, {
        select: { id: true },
        where: { id, deletedAt: IsNull() },
        lock: { mode: "for_no_key_update" },
      })) !== null
    );
  }

  /** Uses the slug of the name, or appends a random number if it is taken, even by a tombstone. */
  async create(scope: Scope, manager: EntityManager, name: string): Promise<Workspace> {
    requireOwner(scope);
    const own = buildSlug(name);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const slug = attempt === 0 ? own : buildFreeSlug(own);
      const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(Workspace)
        .values({ name, slug, userId: scope.principal.userId, chatMode: () => newMode })
        .orIgnore()
        .returning("id")
        .execute();
      const row = (inserted.raw as { id: number }[])[0];
      if (row !== undefined) return manager.findOneByOrFail(Workspace, { id: row.id });
    }
    throw new CarrelError("workspace.slug-exhausted");
  }

  /** The updated row, or null if it was deleted. `updatedAt` is now unless `columns` sets it. */
  async update(
    scope: WorkspaceScope,
    manager: EntityManager,
    columns: Partial<Workspace>,
  ): Promise<Workspace | null> {
    requireOwner(scope);
    const result = await manager
      .createQueryBuilder()
      .update(Workspace)
      .set({ updatedAt: () => "now()", ...columns })
      .where("id = :id AND deleted_at IS NULL", { id: scope.workspace.id })
      .execute();
    return result.affected === 0 ? null : manager.findOneBy(Workspace, { id: scope.workspace.id });
  }

  /**
   * Turns the workspace into a tombstone and returns its name and picture key; null if it doesn't
   * exist or already is one.
   */
  async markDeleted(
    scope: WorkspaceScope,
    manager: EntityManager,
  ): Promise<{ name: string; pictureKey: string | null } | null> {
    requireOwner(scope);
    const [rows] = await manager.query<[{ name: string; pictureKey: string | null }[], number]>(
      `UPDATE workspace.workspace SET deleted_at = now()
      WHERE id = $1 AND deleted_at IS NULL
      RETURNING name, picture_key AS "pictureKey"`,
      [scope.workspace.id],
    );
    return rows[0] ?? null;
  }

  /** Names of all workspaces the caller may use, for search. */
  async listAllNames(scope: Scope): Promise<{ id: number; slug: string; name: string }[]> {
    return this.visible(scope)
      .select("workspace.id", "id")
      .addSelect("workspace.slug", "slug")
      .addSelect("workspace.name", "name")
      .orderBy("workspace.id")
      .getRawMany<{ id: number; slug: string; name: string }>();
  }

  /** The row, locked until the transaction ends; null if it was deleted. */
  async lock(scope: WorkspaceScope, manager: EntityManager): Promise<Workspace | null> {
    requireOwner(scope);
    return manager.findOne(Workspace, {
      where: { id: scope.workspace.id, deletedAt: IsNull() },
      lock: { mode: "for_no_key_update" },
    });
  }

  /** Ids of the workspaces that the caller has created and still uses. */
  async listOwn(scope: Scope): Promise<number[]> {
    const { userId } = scope.principal;
    if (userId === null) return [];
    const own = await this.visible(scope)
      .select("workspace.id", "id")
      .andWhere("workspace.userId = :owner", { owner: userId })
      .orderBy("workspace.id")
      .getRawMany<{ id: number }>();
    return own.map(({ id }) => id);
  }

  async hasAny(scope: Scope): Promise<boolean> {
    requireService(scope);
    return this.visible(scope).getExists();
  }

  count(scope: Scope): Promise<number> {
    requireService(scope);
    return this.visible(scope).getCount();
  }

  /** Transfers a deleted user's workspaces to the instance. */
  async disown(scope: Scope, manager: EntityManager, userId: number): Promise<void> {
    requireService(scope);
    await manager.query(`UPDATE workspace.workspace SET user_id = NULL WHERE user_id = $1`, [
      userId,
    ]);
  }

  /**
   * Records that a service has deleted its data of a tombstone; the last confirmation deletes the
   * row.
   */
  async confirmDeleted(
    scope: Scope,
    workspaceId: number,
    service: string,
    services: readonly string[],
  ): Promise<void> {
    requireService(scope);
    await this.dataSource.query(
      `UPDATE workspace.workspace SET delete_confirmed_by = array(
        SELECT DISTINCT unnest(delete_confirmed_by || $2::text)
      )
      WHERE id = $1 AND deleted_at IS NOT NULL`,
      [workspaceId, service],
    );
    await this.dataSource.query(
      `DELETE FROM workspace.workspace WHERE id = $1 AND deleted_at IS NOT NULL AND delete_confirmed_by @> $2::text[]`,
      [workspaceId, [...services]],
    );
  }

  /** Ids of tombstones older than `ageMs` that still lack a confirmation. */
  async listUnconfirmed(scope: Scope, ageMs: number): Promise<number[]> {
    requireService(scope);
    const rows = await this.dataSource.manager.find(Workspace, {
      select: { id: true },
      where: { deletedAt: LessThan(new Date(Date.now() - ageMs)) },
      order: { id: "ASC" },
    });
    return rows.map((row) => row.id);
  }

  /** Ids without a row, not even a tombstone. */
  async listMissing(scope: Scope, ids: readonly number[]): Promise<number[]> {
    requireService(scope);
    const rows = await this.dataSource.query<{ id: number }[]>(
      `SELECT asked.id FROM unnest($1::int[]) AS asked(id)
      WHERE NOT EXISTS (SELECT 1 FROM workspace.workspace w WHERE w.id = asked.id)
      ORDER BY asked.id`,
      [[...ids]],
    );
    return rows.map((row) => row.id);
  }

  private visible(
    scope: Scope,
    manager: EntityManager = this.dataSource.manager,
  ): SelectQueryBuilder<Workspace> {
    const query = manager
      .createQueryBuilder(Workspace, "workspace")
      .where("workspace.deletedAt IS NULL");
    const { workspaceIds } = scope.principal;
    if (workspaceIds !== undefined) query.andWhere({ id: In(workspaceIds) });
    if (managesAll(scope)) return query;
    // A visitor has no account: the widget decides about the workspace.
    if (scope.principal.kind === "widget")
      return query.andWhere("workspace.id = :own", { own: scope.workspace?.id ?? -1 });
    return query.andWhere(
      "EXISTS (SELECT 1 FROM workspace.workspace_member m WHERE m.workspace_id = workspace.id AND m.user_id = :userId)",
      { userId: scope.principal.userId ?? -1 },
    );
  }
}
