import { servicePrincipal } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { IndexDirectory } from "./index-directory.ts";
import { IndexEntryRepository } from "./index-entry.repository.ts";
import { IndexStore } from "./index-store.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import type { SearchIndex } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** A store that hasn't responded for this long is abandoned, along with its rows. */
const abandonedAfterMs = 7 * 24 * 3_600_000;

/**
 * Frees the storage of dropped indexes, and recovers from data loss, which shows as a store's
 * changed identity.
 */
@Injectable()
export class IndexJanitor {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly directory: IndexDirectory,
    private readonly indexes: SearchIndexRepository,
    private readonly index: IndexStore,
    private readonly entries: IndexEntryRepository,
  ) {}

  async free(): Promise<void> {
    for (const index of await this.indexes.listFree(scope)) {
      try {
        await (await this.index.vectorsOf(index))?.drop();
        await this.freeText(index);
        await this.indexes.delete(scope, index.id);
      } catch (fault) {
        this.logger.warn(
          { err: fault, place: index.vectorPlace },
          "couldn't free a dropped index yet",
        );
        if (Date.now() - index.since.getTime() > abandonedAfterMs)
          await this.indexes.delete(scope, index.id);
      }
    }
    this.directory.forget();
    await this.index.closeUnused();
  }

  /**
   * If the active index has lost rows, re-indexes every document from the text in PostgreSQL; if
   * another index has, rewrites its rows.
   */
  async followLosses(): Promise<void> {
    for (const index of await this.directory.list()) {
      const identity = await this.index.identity(index).catch((fault: unknown) => {
        this.logger.warn(
          { err: fault, place: index.vectorPlace },
          "couldn't compare a search index",
        );
        return null;
      });
      if (identity === null || identity === index.identity) continue;
      await this.dataSource.transaction(async (manager) => {
        await this.indexes.lock(scope, manager);
        const now = (await this.indexes.list(scope, manager)).find(({ id }) => id === index.id);
        if (!now || now.role === "dropped" || now.identity === identity) return;
        await this.indexes.saveIdentity(scope, manager, index.id, identity);
        if (now.identity === null) return;
        if (now.role === "active")
          await manager.query(
            `UPDATE ingest.workspace_document SET state = 'queued', version = version + 1,
              reason = NULL, lease_until = NULL
            WHERE state <> 'failed'`,
          );
        else await this.entries.clearEntries(scope, manager, index.id);
      });
      this.directory.forget();
    }
  }

  /**
   * Drops the text index unless another index shares it. Holds the lock on roles, because such an
   * index may be created at the same moment.
   */
  private async freeText(index: SearchIndex): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.indexes.lock(scope, manager);
      const others = (await this.indexes.list(scope, manager)).filter(
        ({ id, role }) => id !== index.id && role !== "dropped",
      );
      if (others.some(({ textPlace }) => textPlace === index.textPlace)) return;
      await (await this.index.textOf(index)).drop();
    });
  }
}
