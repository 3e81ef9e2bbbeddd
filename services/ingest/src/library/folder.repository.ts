import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { listParents } from "../document/docpath.ts";

/**
 * Condition for folder $1 and everything below it. '0' is the character after '/', so the range
 * covers every path that starts with "$1/".
 */
const within = (column: string): string =>
  `(${column} = $1 OR (${column} ~>=~ ($1 || '/') AND ${column} ~<~ ($1 || '0')))`;

/**
 * Library folders: those created explicitly and those that exist only because a document is in
 * them.
 */
@Injectable()
export class FolderRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Serializes changes to the library's rows, which could otherwise conflict over a name or a
   * folder, or deadlock by locking the same documents in a different order. Take it before locking
   * any row. `shared` only keeps out exclusive holders.
   */
  async holdLibrary(manager: EntityManager, shared = false): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock${shared ? "_shared" : ""}(7304, 0)`);
  }

  /** Whether documents are still being moved into, out of or within these folders. */
  async hasPendingMoves(_scope: Scope, manager: EntityManager, names: string[]): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `SELECT 1
      FROM ingest.library_change c,
        unnest(ARRAY[c.change->>'from', c.change->>'to', c.change->>'folder']) AS path,
        unnest($1::text[]) AS name
      WHERE c.change->>'kind' IN ('move', 'rename')
        AND (path = name OR starts_with(path, name || '/') OR starts_with(name, path || '/'))
      LIMIT 1`,
      [names],
    );
    return rows.length > 0;
  }

  /**
   * Also creates missing parent folders. False if the folder already exists or contains documents.
   */
  async create(scope: Scope, manager: EntityManager, name: string): Promise<boolean> {
    // If two callers create it concurrently, the second one gets false.
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 7303))`, [name]);
    if (await this.exists(scope, name, manager)) return false;
    await this.ensure(scope, manager, name);
    return true;
  }

  /** Creates the folder and its parents if they are missing. */
  async ensure(scope: Scope, manager: EntityManager, name: string): Promise<void> {
    // Inserting in name order keeps concurrent calls for nested folders from deadlocking.
    await manager.query(
      `INSERT INTO ingest.folder (name, user_id)
      SELECT name, $2::int
      FROM unnest($1::text[]) AS name
      ORDER BY name
      ON CONFLICT DO NOTHING`,
      [[...listParents(name), name], scope.principal.userId],
    );
  }

  async exists(_scope: Scope, name: string, manager = this.dataSource.manager): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `SELECT 1 FROM ingest.folder
      WHERE ${within("name")}
      UNION ALL
      SELECT 1 FROM ingest.document
      WHERE in_library AND ${within("folder")}
      LIMIT 1`,
      [name],
    );
    return rows.length > 0;
  }

  /** Moves a folder and its subfolders to another path; a change moves their documents. */
  async rename(scope: Scope, manager: EntityManager, from: string, to: string): Promise<void> {
    await this.ensure(scope, manager, to);
    await manager.query(
      `INSERT INTO ingest.folder (name, user_id)
      SELECT $2::text || substr(name, length($1) + 1), user_id
      FROM ingest.folder
      WHERE ${within("name")}
      ORDER BY 1
      ON CONFLICT DO NOTHING`,
      [from, to],
    );
    await this.remove(scope, manager, from);
  }

  /** Removes the folder and its subfolders, but no documents. */
  async remove(_scope: Scope, manager: EntityManager, name: string): Promise<void> {
    await manager.query(`DELETE FROM ingest.folder WHERE ${within("name")}`, [name]);
  }
}
