import type { listAllThreads, Out, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, IsNull } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { Thread } from "./thread.entity.ts";

type Listed = Out<typeof listAllThreads>["threads"][number];

/** Names have up to 255 characters, and a reply may take 1 MB. */
const pageSize = 500;

/** Threads of all owners. */
@Injectable()
export class AllThreadsRepository {
  constructor(private readonly dataSource: DataSource) {}

  find(scope: WorkspaceScope, slug: string): Promise<Thread | null> {
    return this.dataSource.manager.findOneBy(Thread, {
      workspaceId: scope.workspace.id,
      slug,
      deletedAt: IsNull(),
    });
  }

  /** Oldest first; `workspaceId` null: of all workspaces. */
  async page(
    workspaceId: number | null,
    after: number | null,
  ): Promise<Out<typeof listAllThreads>> {
    const rows = await queryRows<Listed & { id: number }>(
      this.dataSource,
      `SELECT id, user_id, slug, name, workspace_id
      FROM thread
      WHERE ($1::int IS NULL OR workspace_id = $1)
        AND id > $2
        AND slug IS NOT NULL
        AND deleted_at IS NULL
      ORDER BY id LIMIT ${pageSize}`,
      [workspaceId, after ?? 0],
    );
    return {
      threads: rows.map(({ id: _id, ...thread }) => thread),
      next: rows.length < pageSize ? null : rows.at(-1)!.id,
    };
  }
}
