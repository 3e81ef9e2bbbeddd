import type { RecordBatch } from "apache-arrow";
import type { RowRegister } from "./row-register.ts";

/** What is kept in memory of a workspace's rows. */
export interface SnapshotRows {
  /** Memory it takes, including what searches will make of it. */
  readonly bytes: number;
  readonly register: RowRegister;
  /** Adds a row of the batch; one with the same id is replaced. */
  adder(batch: RecordBatch): (row: number) => void;
  remove(row: number): void;
}
