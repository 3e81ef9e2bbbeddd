import type { Table } from "@lancedb/lancedb";
import type { ChangeLog, LogPosition, LoggedChange, TableChange } from "./change-log.ts";

/** A search waits for up to this many rows of other processes' changes, about 30 ms. */
const maxAwaitedRows = 1_000;
/** How often to check for writes that are missing from the log. */
const checkMs = 30_000;

interface Run {
  done: Promise<void>;
  /** Resolves when `done` does, or as soon as that is known to take long. */
  awaited: Promise<void>;
}

/** Listens to a table's changes. */
export interface ChangeListener {
  /** Called in the order of the writes. Must not throw. */
  changed(change: TableChange, isOwn: boolean): Promise<void>;
  /**
   * Changes were missed: a process was killed between commit and log, or this one is far behind.
   */
  lost(): void;
}

/** Passes on a table's changes: other processes' writes, read from its log, and this one's. */
export class ChangeFollower {
  private position: LogPosition | null = null;
  /** All changes up to this version of the table are known. */
  private seen = -1;
  private running: Run | null = null;
  private waiting: Run | null = null;
  /** Rows read from the log that haven't been passed on yet. */
  private behind = 0;
  private checked = { at: performance.now(), version: -1, seen: -1 };
  private checking: Promise<void> = Promise.resolve();

  constructor(
    private readonly log: ChangeLog,
    private readonly listener: ChangeListener,
  ) {}

  /** Reads what was written before the call, and waits for that unless it takes long. */
  async follow(table: Table): Promise<void> {
    if (this.behind > maxAwaitedRows) return;
    this.checkSoon(table);
    const isIdle = !this.running && !this.waiting;
    if (isIdle && this.position && this.log.isEnd(this.position)) return;
    await this.start(table).awaited;
  }

  /** Waits for reads already in progress, unless they take long. */
  async settle(): Promise<void> {
    if (this.behind <= maxAwaitedRows) await (this.waiting ?? this.running)?.awaited;
  }

  /** Reads everything that was written before the call. */
  async catchUp(table: Table): Promise<void> {
    await this.start(table).done;
  }

  /** Adds this process's write to the log and passes it on. The caller has caught up. */
  async record(written: LoggedChange): Promise<void> {
    this.note(written);
    // The write itself succeeded. Without an entry, other processes notice a gap at the next one.
    await this.append(written).catch(() => undefined);
    await this.listener.changed(written.change, true);
  }

  /** Waits for reads of the table that callers didn't wait for. */
  async idle(): Promise<void> {
    for (let run = this.waiting ?? this.running; run; run = this.waiting ?? this.running)
      await run.done.catch(() => undefined);
    await this.checking;
  }

  private async append(written: LoggedChange): Promise<void> {
    this.position = await this.log.append(this.position ?? (await this.log.end()), written);
  }

  private start(table: Table): Run {
    if (this.waiting) return this.waiting;
    // The current run may have read the log before the call.
    if (this.running) return (this.waiting = this.run(table, this.running.done));
    return (this.running = this.run(table, Promise.resolve()));
  }

  private run(table: Table, after: Promise<void>): Run {
    const { promise: known, resolve } = Promise.withResolvers<void>();
    const run = {} as Run;
    run.done = after
      .catch(() => undefined)
      .then(() => {
        if (this.waiting === run) this.waiting = null;
        this.running = run;
        return this.advance(table, resolve);
      })
      .finally(() => {
        if (this.running === run) this.running = null;
      });
    run.awaited = Promise.race([run.done, known]);
    // Callers waiting for one of them see the failure.
    run.done.catch(() => undefined);
    run.awaited.catch(() => undefined);
    return run;
  }

  private async advance(table: Table, takesLong: () => void): Promise<void> {
    const found = this.position && (await this.log.read(this.position));
    if (!found) {
      const isFirst = this.position === null;
      // If the folder is gone, reading the table says so.
      const { position, seen } = await this.findEnd(table);
      if (!isFirst) this.listener.lost();
      this.position = position;
      this.seen = seen;
      return;
    }
    this.position = found.position;
    for (const { change } of found.changes) this.behind += rowsOf(change);
    if (this.behind > maxAwaitedRows) takesLong();
    for (const logged of found.changes) {
      this.note(logged);
      await this.listener.changed(logged.change, false);
      this.behind -= rowsOf(logged.change);
    }
  }

  private note({ from, to, change }: LoggedChange): void {
    // A recreated table counts its versions from the start.
    if (change.kind === "cleared") this.seen = to;
    else {
      if (from > this.seen) this.listener.lost();
      this.seen = Math.max(this.seen, to);
    }
  }

  /**
   * The version is read last: anything written in between is then known twice, which is harmless.
   */
  private async findEnd(table: Table): Promise<{ position: LogPosition; seen: number }> {
    await table.version();
    const position = await this.log.end();
    return { position, seen: await table.version() };
  }

  /** Notices writes that have no entry and aren't followed by one that has. */
  private checkSoon(table: Table): void {
    const { checked } = this;
    if (performance.now() - checked.at < checkMs) return;
    checked.at = performance.now();
    this.checking = table.version().then(
      (version) => {
        // Missing twice in a row: a write that is merely slow would have been logged by now.
        const isMissing =
          version > this.seen && version === checked.version && this.seen === checked.seen;
        this.checked = { at: performance.now(), version, seen: this.seen };
        if (!isMissing) return;
        this.seen = version;
        this.listener.lost();
      },
      () => undefined,
    );
  }
}

const rowsOf = (change: TableChange): number => (change.kind === "added" ? change.rows : 0);
