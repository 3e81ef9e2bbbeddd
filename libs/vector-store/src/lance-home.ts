import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Connection } from "@lancedb/lancedb";
import type { LanceCaches } from "./lance-caches.ts";
import { unreadable } from "./lance-fault.ts";
import { SnapshotMemory } from "./snapshot-memory.ts";

/** Runs work while no other process writes to the folder. */
export type Writer = (work: () => Promise<void>) => Promise<void>;

const registerName = "register.json";

interface Register {
  id: string;
  tables: string[];
}

/**
 * The index folder and its register: a small file with a name, which changes when rows were lost,
 * and every table ever completed here. A table in the register that no longer exists was lost.
 */
export class LanceHome {
  /** Called when a table has rows that aren't indexed. */
  onDirty: () => void = () => undefined;
  private changes: Promise<void> = Promise.resolve();

  constructor(
    readonly caches: LanceCaches,
    readonly folder: string,
    readonly writer: Writer,
    /** Memory for what searches read, shared by all tables. */
    readonly memory: SnapshotMemory = new SnapshotMemory(),
  ) {}

  get connection(): Connection {
    return this.caches.connection;
  }

  /** The folder of a table's change log. */
  changesOf(table: string): string {
    return path.join(this.folder, "changes", table);
  }

  async identity(): Promise<string> {
    const register = await this.read();
    if (register) return register.id;
    await this.writer(() => this.change((found) => found));
    return (await this.read())?.id ?? "";
  }

  /** Whether the table was created completely and exists. */
  async hasTable(name: string): Promise<boolean> {
    const register = await this.read();
    return (
      register?.tables.includes(name) === true &&
      (await this.connection.tableNames()).includes(name)
    );
  }

  /** Called by the writer before it creates a table: a registered one was lost. */
  noteLoss(name: string): Promise<void> {
    return this.change(({ id, tables }) =>
      tables.includes(name) ? { id: randomUUID(), tables } : { id, tables },
    );
  }

  /** Called by the writer when a table is complete. */
  registerTable(name: string): Promise<void> {
    return this.change(({ id, tables }) => ({
      id,
      tables: tables.includes(name) ? tables : [...tables, name],
    }));
  }

  /**
   * Called by the writer. Keeps an unusable table in a `damaged` folder so that it can be
   * inspected.
   */
  async quarantine(name: string): Promise<void> {
    const folder = path.join(this.folder, "damaged");
    await mkdir(folder, { recursive: true });
    await rename(
      path.join(this.folder, `${name}.lance`),
      path.join(folder, `${name}-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`),
    );
  }

  /** Called by the writer when it drops a table on purpose: recreating it then loses nothing. */
  forgetTable(name: string): Promise<void> {
    return this.change(({ id, tables }) => ({
      id,
      tables: tables.filter((table) => table !== name),
    }));
  }

  /** Serialised: all tables of this process share one write lease. */
  private change(build: (register: Register) => Register): Promise<void> {
    const changed = this.changes.then(async () =>
      this.write(build((await this.read()) ?? { id: randomUUID(), tables: [] })),
    );
    this.changes = changed.catch(() => undefined);
    return changed;
  }

  private get file(): string {
    return path.join(this.folder, registerName);
  }

  /** A missing or malformed register counts as lost; a folder that can't be read doesn't. */
  private async read(): Promise<Register | null> {
    let text: string;
    try {
      text = await readFile(this.file, "utf8");
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw unreadable(registerName, cause);
    }
    try {
      const found = JSON.parse(text) as Partial<Register>;
      return typeof found.id === "string" && Array.isArray(found.tables)
        ? { id: found.id, tables: found.tables.map(String) }
        : null;
    } catch {
      return null;
    }
  }

  private async write(register: Register): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true });
      const partial = `${this.file}.${randomUUID()}`;
      await writeFile(partial, JSON.stringify(register));
      await rename(partial, this.file);
    } catch (cause) {
      throw unreadable(registerName, cause);
    }
  }
}
