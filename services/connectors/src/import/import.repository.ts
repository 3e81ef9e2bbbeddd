import type { Fault, Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, IsNull, MoreThan, type EntityManager } from "typeorm";
import { ImportItem } from "./import-item.entity.ts";
import { Import } from "./import.entity.ts";

/** How long a finished import is kept, so that a repeated request still finds its outcome. */
const keptHours = 24;
/** Maximum imports resumed in one round. */
const maxDue = 1_000;
const itemsPerInsert = 500;

/**
 * Imports and their items. Accessible only to the import's own job and to callers that know its id.
 */
@Injectable()
export class ImportRepository {
  constructor(private readonly dataSource: DataSource) {}

  async create(
    scope: Scope,
    manager: EntityManager,
    values: Pick<Import, "id" | "connector" | "sealedSettings" | "embed" | "metadata">,
  ): Promise<void> {
    await manager.insert(Import, { ...values, scope, state: "listing" });
  }

  find(id: string): Promise<Import | null> {
    return this.dataSource.manager.findOneBy(Import, { id });
  }

  /** Counts the run; null if the import has ended or been deleted. */
  async beginRun(id: string): Promise<Import | null> {
    const open = { id, finishedAt: IsNull() };
    await this.dataSource.manager.increment(Import, open, "openRuns", 1);
    return this.dataSource.manager.findOneBy(Import, open);
  }

  /** Ends a run that will be retried; all others end with `finish`. */
  async endRun(id: string): Promise<void> {
    await this.dataSource.manager.decrement(Import, { id, openRuns: MoreThan(0) }, "openRuns", 1);
  }

  /** Records all items at once; a listing that was interrupted starts again from the beginning. */
  async saveItems(id: string, items: readonly unknown[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.update(
        Import,
        { id, state: "listing" },
        { state: "fetching", openRuns: 1 },
      );
      // Another run of the same job finished first.
      if (affected === 0) return;
      const rows = items.map((item, ordinal) => ({ importId: id, ordinal, item: item as object }));
      for (let at = 0; at < rows.length; at += itemsPerInsert)
        await manager.insert(ImportItem, rows.slice(at, at + itemsPerInsert));
    });
  }

  listItems(id: string, state?: ImportItem["state"]): Promise<ImportItem[]> {
    return this.dataSource.manager.find(ImportItem, {
      where: { importId: id, ...(state !== undefined && { state }) },
      order: { ordinal: "ASC" },
    });
  }

  async finishItem(
    { importId, ordinal }: Pick<ImportItem, "importId" | "ordinal">,
    outcome: Pick<ImportItem, "document"> | Pick<ImportItem, "fault">,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.update(
        ImportItem,
        { importId, ordinal, state: "pending" },
        { ...outcome, state: "document" in outcome ? "done" : "failed" },
      );
      await manager.update(Import, { id: importId }, { openRuns: 1 });
    });
  }

  /** Ends the import and deletes its settings. */
  async finish(id: string, fault: Fault | null): Promise<void> {
    await this.dataSource.manager.update(
      Import,
      { id, finishedAt: IsNull() },
      {
        state: fault === null ? "done" : "failed",
        fault,
        sealedSettings: null,
        finishedAt: () => "now()",
      },
    );
  }

  async listDue(): Promise<string[]> {
    const rows = await this.dataSource.manager.find(Import, {
      select: { id: true },
      where: { finishedAt: IsNull() },
      order: { createdAt: "ASC" },
      take: maxDue,
    });
    return rows.map(({ id }) => id);
  }

  async deleteOld(): Promise<void> {
    await this.dataSource.manager
      .createQueryBuilder()
      .delete()
      .from(Import)
      .where(`finished_at < now() - interval '${keptHours} hours'`)
      .execute();
  }
}
