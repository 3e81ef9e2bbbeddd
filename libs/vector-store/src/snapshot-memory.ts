import { totalmem } from "node:os";
import type { RecordBatch } from "apache-arrow";
import type { RowRegister } from "./row-register.ts";

/** Rows searched within this time, in ms, aren't dropped to load others. */
const inUseMs = 10_000;
const leastBytes = 192 << 20,
  mostBytes = 1 << 30,
  shareOfMachine = 1 / 6;

/** Something in memory that can be dropped. `usedAt`: when it was last searched. */
export interface MemoryUser {
  readonly bytes: number;
  readonly usedAt: number;
  drop(): void;
}

/** A sixth of the memory of the machine or container, 192 MB to 1 GB. */
export function defaultMemoryBytes(): number {
  const limit = process.constrainedMemory();
  const machine = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.max(leastBytes, Math.min(mostBytes, Math.floor(machine * shareOfMachine)));
}

/** The memory for what searches read, shared by all tables of a store. */
export class SnapshotMemory {
  private readonly users = new Set<MemoryUser>();

  constructor(private readonly maxBytes: number = defaultMemoryBytes()) {}

  private get bytes(): number {
    let bytes = 0;
    for (const user of this.users) bytes += user.bytes;
    return bytes;
  }

  /** Whether there is room for it, after dropping what hasn't been searched for a while. */
  admit(user: MemoryUser): boolean {
    const wanted = this.bytes + user.bytes - this.maxBytes;
    const before = performance.now() - inUseMs;
    const idle = this.leastUsed().filter(({ usedAt }) => usedAt < before);
    if (wanted > idle.reduce((bytes, one) => bytes + one.bytes, 0)) return false;
    this.dropUntil(this.maxBytes - user.bytes, idle);
    this.users.add(user);
    return true;
  }

  /** Adds it whatever its size: the next `shrink` drops what was searched least recently. */
  add(user: MemoryUser): void {
    this.users.add(user);
  }

  release(user: MemoryUser): void {
    this.users.delete(user);
  }

  /** Call this when users have grown. */
  shrink(): void {
    this.dropUntil(this.maxBytes, this.leastUsed());
  }

  private leastUsed(): MemoryUser[] {
    return [...this.users].sort((a, b) => a.usedAt - b.usedAt);
  }

  private dropUntil(maxBytes: number, users: MemoryUser[]): void {
    let { bytes } = this;
    for (const user of users) {
      if (bytes <= maxBytes) return;
      bytes -= user.bytes;
      this.users.delete(user);
      user.drop();
    }
  }
}

/** The parts of a workspace's rows that are kept in memory. */
export interface SnapshotRows {
  /** Memory it takes, including what searches will add. */
  readonly bytes: number;
  readonly register: RowRegister;
  /** Adds a row of the batch; one with the same id is replaced. */
  adder(batch: RecordBatch): (row: number) => void;
  remove(row: number): void;
}
