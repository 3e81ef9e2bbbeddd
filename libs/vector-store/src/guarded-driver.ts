import type { ScoredId, VectorModel } from "./vector-index.ts";
import type { StoreBreaker } from "./store-breaker.ts";
import type { DriverQuery, DriverRow, VectorDriver } from "./vector-driver.ts";

/** A driver whose calls are rejected at once while its server can't be reached. */
export class GuardedDriver implements VectorDriver {
  constructor(
    private readonly driver: VectorDriver,
    private readonly breaker: StoreBreaker,
  ) {}

  get batchSize(): number {
    return this.driver.batchSize;
  }
  get batchBytes(): number {
    return this.driver.batchBytes ?? Infinity;
  }

  ensure(table: string, dimensions: number): Promise<boolean> {
    return this.breaker.run(() => this.driver.ensure(table, dimensions));
  }

  upsert(table: string, rows: DriverRow[], first: boolean): Promise<void> {
    return this.breaker.run(() => this.driver.upsert(table, rows, first));
  }

  search(table: string, query: DriverQuery): Promise<ScoredId[]> {
    return this.breaker.runBriefly(() => this.driver.search(table, query));
  }

  deleteByDocument(
    table: string,
    workspaceId: number,
    documentId: string,
    exceptVersion: number | undefined,
  ): Promise<void> {
    return this.breaker.run(() =>
      this.driver.deleteByDocument(table, workspaceId, documentId, exceptVersion),
    );
  }

  deleteWorkspace(table: string, workspaceId: number): Promise<void> {
    return this.breaker.run(() => this.driver.deleteWorkspace(table, workspaceId));
  }

  drop(table: string): Promise<void> {
    return this.breaker.run(() => this.driver.drop(table));
  }

  isMissing(fault: unknown): boolean {
    return this.driver.isMissing(fault);
  }

  check(model: VectorModel | undefined): Promise<void> {
    return this.breaker.runBriefly(() => this.driver.check(model));
  }

  close(): Promise<void> {
    return this.driver.close();
  }
}
