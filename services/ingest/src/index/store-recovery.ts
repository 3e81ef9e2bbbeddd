import { servicePrincipal, type ErrorParams } from "@carrel/contracts";
import { Outbox } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { storeName, type VectorStoreError } from "@carrel/vector-store";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import { DataSource } from "typeorm";
import { embedJob, indexJob } from "../document/document-jobs.ts";
import { IndexDirectory } from "./index-directory.ts";
import { IndexStore } from "./index-store.ts";
import { PostponementRepository } from "./postponement.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** How often the store is asked at most; its circuit breaker allows fewer calls. */
const askEveryMs = 1_000;
/** A full store answers, so only the next write shows whether it has space again. */
const writeAgainMs = 15_000;

/**
 * Once a vector store couldn't be reached, asks it until it responds, and then queues the documents
 * that wait for it. If this process ends first, the reconcilers queue them.
 */
@Injectable()
export class StoreRecovery implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;
  private isStopping = false;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly directory: IndexDirectory,
    private readonly store: IndexStore,
    private readonly postponements: PostponementRepository,
  ) {}

  /** Documents may have waited when the last process ended. */
  onApplicationBootstrap(): void {
    void this.postponements.hasWaits(scope).then(
      (hasWaits) => hasWaits && this.watch(),
      (error: unknown) =>
        this.logger.warn({ err: error }, "couldn't look for documents that wait for a store"),
    );
  }

  /** Call when the active index's store couldn't be reached or had no space. */
  watch(isFull = false): void {
    if (this.isStopping) return;
    this.timer ??= setTimeout(() => void this.ask(), isFull ? writeAgainMs : askEveryMs).unref();
  }

  onApplicationShutdown(): void {
    this.isStopping = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private async ask(): Promise<void> {
    try {
      await this.store.check(await this.directory.active());
    } catch {
      this.timer = null;
      return this.watch();
    }
    this.timer = null;
    await this.resume().catch((error: unknown) =>
      this.logger.warn({ err: error }, "couldn't queue the documents that waited for a store"),
    );
  }

  private async resume(): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const rows = await this.postponements.endWaits(scope, manager);
      await this.outbox.add(
        manager,
        ...rows.map((row) =>
          row.state === "queued" ? indexJob(row, row.workspaceId) : embedJob(row, row.workspaceId),
        ),
      );
    });
  }
}

/**
 * The name of the vector database that failed, or whose folder can't be read or written; null if
 * the fault is in a table of the local index or ours.
 */
export function storeOf({ fault }: VectorStoreError): string | null {
  if (fault.code === "vector-store.index-unreadable") return storeName(null);
  const { store }: ErrorParams = fault.params ?? {};
  return typeof store === "string" ? store : null;
}
