import type { Table } from "@lancedb/lancedb";
import { isShortage } from "./lance-fault.ts";
import type { LanceHome } from "./lance-home.ts";

/** Failures in a row after which a table counts as damaged. */
const maxFaults = 3;

/** What a repair needs from the table. */
export interface RepairedTable {
  openExisting(): Promise<Table>;
  make(): Promise<Table>;
  /** Forgets the open table, so that the next read opens what is there then. */
  forget(): void;
}

/** Decides when a table is damaged, and replaces it. */
export class TableRepair {
  /** Consecutive failures of the open table that nothing else explains. */
  private faults = 0;
  /** The register's name when the table was opened; another table in its place changes it. */
  private openedIn: string | null = null;
  private replacing: Promise<void> | null = null;

  constructor(
    private readonly home: LanceHome,
    private readonly name: string,
    private readonly table: RepairedTable,
  ) {}

  async noteOpened(): Promise<void> {
    this.faults = 0;
    this.openedIn = await this.home.identity();
  }

  noteSuccess(): void {
    this.faults = 0;
  }

  /** Returns whether the table now counts as damaged. */
  noteFault(): boolean {
    this.faults += 1;
    return this.isDamaged;
  }

  private get isDamaged(): boolean {
    return this.faults >= maxFaults;
  }

  /**
   * Moves aside a table that can't be opened or read. A retry then finds an empty table, and the
   * register's new name means that everything has to be re-indexed. All failed reads share one
   * attempt, and another process may already have replaced the table.
   */
  replace(): Promise<void> {
    this.replacing ??= this.home
      .writer(async () => {
        const stillDamaged = await this.table.openExisting().then(
          async (table) => {
            table.close();
            return this.isDamaged && this.openedIn === (await this.home.identity());
          },
          (fault: unknown) => !isShortage(fault),
        );
        this.table.forget();
        if (!stillDamaged) return;
        await this.home.quarantine(this.name);
        await this.table.make();
      })
      .finally(() => {
        this.replacing = null;
      });
    return this.replacing;
  }
}
