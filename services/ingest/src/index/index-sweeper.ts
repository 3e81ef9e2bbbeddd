import { servicePrincipal, sweepIndex, type JobPayload } from "@carrel/contracts";
import { Process } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import type { TextIndex, VectorIndex } from "@carrel/vector-store";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { IndexDirectory } from "./index-directory.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { IndexStore } from "./index-store.ts";

const scope = { principal: servicePrincipal, workspace: null };
/**
 * A job already running when its document was removed may still write rows, so garbage is swept a
 * second time after this many minutes and then forgotten.
 */
export const secondSweepMinutes = 10;
/** Removed links per transaction; each has chunks to delete. */
const linksAtOnce = 500;
const garbageAtOnce = 5_000;
const publicationsAtOnce = 500;
/** From this many on, one write for the whole workspace is faster where possible. */
const manyPublications = 20;

/**
 * Deletes index rows without a live version. Searches never wait for it, because PostgreSQL already
 * reports the rows as gone.
 */
@Injectable()
export class IndexSweeper {
  constructor(
    private readonly dataSource: DataSource,
    private readonly index: IndexStore,
    private readonly directory: IndexDirectory,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly garbage: IndexGarbage,
  ) {}

  @Process(sweepIndex, { concurrency: 1 })
  async sweep({ workspaceId }: JobPayload<typeof sweepIndex>): Promise<void> {
    while (
      (await this.dataSource.transaction((manager) =>
        this.garbage.collectRemoved(scope, manager, workspaceId, linksAtOnce),
      )) > 0
    );
    while ((await this.sweepPage(workspaceId)) === garbageAtOnce);
  }

  /** Returns the number of garbage entries swept, for the first or second time. */
  private async sweepPage(workspaceId: number): Promise<number> {
    const rows = await this.dataSource.query<{ id: number; publication: string | null }[]>(
      `SELECT id, publication
      FROM ingest.index_garbage
      WHERE workspace_id = $1
        AND (swept_at IS NULL OR created_at < now() - $2 * interval '1 minute')
      ORDER BY id LIMIT ${garbageAtOnce}`,
      [workspaceId, secondSweepMinutes],
    );
    if (rows.length === 0) return 0;
    const indexes = await this.indexes();
    if (!(await this.sweepEmptied(workspaceId, rows.length, indexes))) {
      const publications = rows.flatMap((row) => row.publication ?? []);
      for (const index of indexes) {
        if (publications.length < rows.length) await index.deleteWorkspace(workspaceId);
        else if (!index.deleteByDocuments)
          for (const publication of publications)
            await index.deleteByDocument(workspaceId, publication);
        else
          for (let at = 0; at < publications.length; at += publicationsAtOnce)
            await index.deleteByDocuments(
              workspaceId,
              publications.slice(at, at + publicationsAtOnce),
            );
      }
    }
    const ids = rows.map((row) => row.id);
    await this.dataSource.query(
      `DELETE FROM ingest.index_garbage WHERE id = ANY($1) AND created_at < now() - $2 * interval '1 minute'`,
      [ids, secondSweepMinutes],
    );
    await this.dataSource.query(
      `UPDATE ingest.index_garbage SET swept_at = now() WHERE id = ANY($1)`,
      [ids],
    );
    return rows.length;
  }

  /**
   * Sweeps many publications of an empty workspace in one write. Additions wait meanwhile, so that
   * the write can't delete new rows.
   */
  private async sweepEmptied(
    workspaceId: number,
    publications: number,
    indexes: Awaited<ReturnType<IndexSweeper["indexes"]>>,
  ): Promise<boolean> {
    if (publications < manyPublications) return false;
    return this.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(7301, $1)`, [workspaceId]);
      if (
        (
          await manager.query<unknown[]>(
            `SELECT 1 FROM ingest.workspace_document WHERE workspace_id = $1 LIMIT 1`,
            [workspaceId],
          )
        ).length > 0
      )
        return false;
      for (const index of indexes) await index.deleteWorkspace(workspaceId);
      return true;
    });
  }

  /**
   * All indexes that may hold rows. An unreachable index that isn't active keeps its rows; searches
   * ignore rows that PostgreSQL doesn't know.
   */
  private async indexes(): Promise<
    Pick<TextIndex | VectorIndex, "deleteByDocument" | "deleteByDocuments" | "deleteWorkspace">[]
  > {
    const found: (TextIndex | VectorIndex)[] = [];
    for (const index of await this.directory.list()) {
      const own: (TextIndex | VectorIndex)[] = [
        await this.index.textOf(index),
        await this.index.vectorsOf(index),
      ].filter((one) => one !== null);
      if (index.role !== "active" && !(await this.answers(own))) continue;
      for (const one of own) if (!found.includes(one)) found.push(one);
    }
    return found;
  }

  private async answers(indexes: (TextIndex | VectorIndex)[]): Promise<boolean> {
    try {
      for (const index of indexes) await index.health();
      return true;
    } catch (fault) {
      this.logger.warn(
        { err: fault },
        "couldn't sweep an unreachable index; rows of deleted documents remain",
      );
      return false;
    }
  }
}
