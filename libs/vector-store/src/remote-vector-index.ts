import { vectorTableName } from "./lance-vector-index.ts";
import type { DriverRow, VectorDriver } from "./vector-driver.ts";
import {
  checkVector,
  invalidCall,
  normalised,
  toNumbers,
  type First,
  type ScoredId,
  type VectorIndex,
  type VectorModel,
  type VectorRow,
} from "./vector-store.ts";

/** Size of one number of a vector as JSON, including its comma. */
const bytesOfNumber = 12;

/** Registers every table created, so that a missing one is noticed. */
export interface TableRegister {
  add(table: string): Promise<void>;
  remove(table: string): Promise<void>;
}

/** One embedding model's vectors in a remote vector database. */
export class RemoteVectorIndex implements VectorIndex {
  private readonly table: string;
  private ready: Promise<void> | null = null;

  constructor(
    private readonly driver: VectorDriver,
    private readonly model: VectorModel,
    private readonly register: TableRegister,
  ) {
    this.table = vectorTableName(model);
  }

  ensure(): Promise<void> {
    const ready = (this.ready ??= this.make());
    ready.catch(() => {
      if (this.ready === ready) this.ready = null;
    });
    return ready;
  }

  /** Checks again whether the table exists. */
  recheck(): Promise<void> {
    this.ready = null;
    return this.ensure();
  }

  private async make(): Promise<void> {
    if (await this.driver.ensure(this.table, this.model.dimensions))
      await this.register.add(this.table);
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      await this.ensure();
      try {
        return await work();
      } catch (fault) {
        if (attempt > 1 || !this.driver.isMissing(fault)) throw fault;
        this.ready = null;
      }
    }
  }

  async upsert(rows: VectorRow[], { first = false }: { first?: First } = {}): Promise<void> {
    for (const row of rows) {
      checkVector(row.vector, this.model);
      requireWorkspace(row.workspaceId);
    }
    const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
    const size = Math.max(
      1,
      Math.min(
        this.driver.batchSize,
        Math.floor((this.driver.batchBytes ?? Infinity) / (this.model.dimensions * bytesOfNumber)),
      ),
    );
    for (let start = 0; start < unique.length; start += size) {
      const batch = unique
        .slice(start, start + size)
        .map((row): DriverRow => ({ ...row, vector: toNumbers(normalised(row.vector)) }));
      await this.run(async () =>
        this.driver.upsert(this.table, batch, typeof first === "function" ? await first() : first),
      );
    }
  }

  async search({
    workspaceId,
    vector,
    limit,
    documentIds,
  }: {
    workspaceId: number;
    vector: Float32Array;
    limit: number;
    documentIds?: readonly string[];
  }): Promise<ScoredId[]> {
    checkVector(vector, this.model);
    requireWorkspace(workspaceId);
    const unit = normalised(vector);
    if (limit < 1 || documentIds?.length === 0 || unit.every((value) => value === 0)) return [];
    const found = await this.run(() =>
      this.driver.search(this.table, { workspaceId, vector: toNumbers(unit), limit, documentIds }),
    );
    return found
      .filter((hit) => Number.isFinite(hit.score))
      .map(({ id, score }) => ({ id, score: Math.max(-1, Math.min(1, score)) }));
  }

  async deleteByDocument(
    workspaceId: number,
    documentId: string,
    { exceptVersion }: { exceptVersion?: number } = {},
  ): Promise<void> {
    requireWorkspace(workspaceId);
    await this.run(() =>
      this.driver.deleteByDocument(this.table, workspaceId, documentId, exceptVersion),
    );
  }

  async deleteWorkspace(workspaceId: number): Promise<void> {
    requireWorkspace(workspaceId);
    await this.run(() => this.driver.deleteWorkspace(this.table, workspaceId));
  }

  async drop(): Promise<void> {
    this.ready = null;
    await this.register.remove(this.table);
    try {
      await this.driver.drop(this.table);
    } catch (fault) {
      if (!this.driver.isMissing(fault)) throw fault;
    }
  }

  health(): Promise<void> {
    return this.driver.check(undefined);
  }
}

function requireWorkspace(workspaceId: number): void {
  if (!Number.isSafeInteger(workspaceId)) throw invalidCall(`Not a workspace id: ${workspaceId}`);
}
