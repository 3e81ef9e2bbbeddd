import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import type { WorkspaceScope } from "@carrel/contracts";
import { DataSource, In, IsNull, Not, type EntityManager, type FindOptionsWhere } from "typeorm";
import { hasNullCharacter } from "../database/null-character.ts";
import { queryRows } from "../database/query-rows.ts";
import { defaultThreadName, Thread } from "./thread.entity.ts";

/** A thread that has a name on the wire. */
export type NamedThread = Thread & { slug: string };
const isNamed = (thread: Thread): thread is NamedThread => thread.slug !== null;

@Injectable()
export class ThreadRepository {
  private readonly dataSource: DataSource;
  constructor(dataSource: DataSource) {
    this.dataSource = dataSource;
  }

  /**
   * A thread in which the caller may read and ask: an own one, or by its slug one without an owner
   * (an API key made it for
   * whoever gets its address, wire-contract +TH); turns are seen by their owner alone. Slug null is
   * the own default thread.
   * null for unknown and foreign alike.
   */
  async find(
    scope: WorkspaceScope,
    slug: string | null,
    manager = this.dataSource.manager,
  ): Promise<Thread | null> {
    if (slug === null) return manager.findOneBy(Thread, { ...own(scope), slug: IsNull() });
    if (hasNullCharacter(slug)) return null;
    return manager.findOneBy(Thread, [
      { ...own(scope), slug },
      { workspaceId: scope.workspace.id, userId: IsNull(), slug, deletedAt: IsNull() },
    ]);
  }

  /** An own one, to change it. */
  async findNamed(scope: WorkspaceScope, slug: string): Promise<NamedThread | null> {
    const thread = hasNullCharacter(slug)
      ? null
      : await this.dataSource.manager.findOneBy(Thread, { ...own(scope), slug });
    return thread !== null && isNamed(thread) ? thread : null;
  }

  /** Own threads, oldest first, without the default thread. */
  async list(scope: WorkspaceScope): Promise<NamedThread[]> {
    const threads = await this.dataSource.manager.find(Thread, {
      where: { ...own(scope), slug: Not(IsNull()) },
      order: { id: "ASC" },
    });
    return threads.filter(isNamed);
  }

  async create(
    manager: EntityManager,
    scope: WorkspaceScope,
    given: Pick<Thread, "name" | "namedBy"> = { name: defaultThreadName, namedBy: null },
  ): Promise<NamedThread> {
    const inserted = await manager.insert(Thread, {
      workspaceId: scope.workspace.id,
      userId: scope.principal.userId,
      slug: randomUUID(),
      ...given,
      createdAt: () => "now()",
      lastUpdatedAt: () => "now()",
    });
    return (await manager.findOneByOrFail(Thread, inserted.identifiers[0]!)) as NamedThread;
  }

  async rename(thread: NamedThread, name: string): Promise<NamedThread> {
    await this.dataSource.manager.update(
      Thread,
      { id: thread.id },
      { name, namedBy: "person", lastUpdatedAt: () => "now()" },
    );
    return (await this.dataSource.manager.findOneByOrFail(Thread, {
      id: thread.id,
    })) as NamedThread;
  }

  /**
   * Those of `slugs` that are the caller's, their rows locked: no generation starts in them until
   * the transaction ends.
   */
  async lockAll(
    manager: EntityManager,
    scope: WorkspaceScope,
    slugs: string[],
  ): Promise<{ id: number; slug: string }[]> {
    const rows = await manager.find(Thread, {
      select: { id: true, slug: true },
      where: { ...own(scope), slug: In(slugs.filter((slug) => !hasNullCharacter(slug))) },
      lock: { mode: "pessimistic_write" },
    });
    return rows.filter(isNamed);
  }

  /** With their turns and generations, whether in the trash or not. */
  async delete(manager: EntityManager, scope: WorkspaceScope, ids: number[]): Promise<void> {
    if (ids.length > 0)
      await manager.query(
        "DELETE FROM thread WHERE id = ANY($1::int[]) AND workspace_id = $2 AND user_id IS NOT DISTINCT FROM $3",
        [ids, scope.workspace.id, scope.principal.userId],
      );
  }

  /** `/reset`: nothing of the thread so far is seen again, by people or in prompts. */
  async hideHistory(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
  ): Promise<void> {
    await manager.query(
      "UPDATE turn SET hidden = true WHERE thread_id = $1 AND workspace_id = $2 AND user_id IS NOT DISTINCT FROM $3 AND NOT hidden",
      [threadId, scope.workspace.id, scope.principal.userId],
    );
  }

  /** Ids of workspaces with threads or memories, above `after`, in order. */
  async listWorkspaceIds(after: number, limit: number): Promise<number[]> {
    return (
      await queryRows<{ id: number }>(
        this.dataSource,
        "SELECT workspace_id AS id FROM thread WHERE workspace_id > $1 UNION SELECT workspace_id FROM memory WHERE workspace_id > $1 ORDER BY id LIMIT $2",
        [after, limit],
      )
    ).map((row) => row.id);
  }

  /** One batch of a deleted account, turns first; returns how many rows may be left. */
  async deleteUserBatch(userId: number, batch: number): Promise<number> {
    const turns = await queryRows<{ id: number }>(
      this.dataSource,
      "DELETE FROM turn WHERE id IN (SELECT id FROM turn WHERE user_id = $1 ORDER BY id LIMIT $2) RETURNING id",
      [userId, batch],
    );
    if (turns.length > 0) return turns.length;
    return (
      await queryRows<{ id: number }>(
        this.dataSource,
        "DELETE FROM thread WHERE id IN (SELECT id FROM thread WHERE user_id = $1 ORDER BY id LIMIT $2) RETURNING id",
        [userId, batch],
      )
    ).length;
  }

  /** One batch of a deleted workspace; returns how many threads are left. */
  async deleteWorkspaceBatch(workspaceId: number, batch: number): Promise<number> {
    const turns = await queryRows<{ id: number }>(
      this.dataSource,
      "DELETE FROM turn WHERE id IN (SELECT id FROM turn WHERE workspace_id = $1 ORDER BY id LIMIT $2) RETURNING id",
      [workspaceId, batch],
    );
    if (turns.length === batch) return batch;
    const threads = await queryRows<{ id: number }>(
      this.dataSource,
      "DELETE FROM thread WHERE id IN (SELECT id FROM thread WHERE workspace_id = $1 ORDER BY id LIMIT $2) RETURNING id",
      [workspaceId, batch],
    );
    return threads.length === batch ? batch : 0;
  }
}

function own(scope: WorkspaceScope): FindOptionsWhere<Thread> {
  return {
    workspaceId: scope.workspace.id,
    userId: scope.principal.userId ?? IsNull(),
    deletedAt: IsNull(),
  };
}
