import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { listParents } from "../document/folder-path.ts";

/**
 * Condition: the folder $1 or one below it. '0' follows '/', so this is all that begins with the
 * path and a slash.
 */
const within = (column: string): string =>
  `(${column} = $1 OR (${column} ~>=~ ($1 || '/') AND ${column} ~<~ ($1 || '0')))`;

/**
 * Folders of the library: those somebody made, and those that only the folder of a document names.
 */
@Injectable()
export class FolderRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Changes of the library's own rows come one after another: two that want the same name, the same
   * documents in another order
   * or to rename the same folder see each other. Taken before any row is. `shared`: only that
   * nobody changes it meanwhile.
   */
  async holdLibrary(manager: EntityManager, shared = false): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock${shared ? "_shared" : ""}(7304, 0)`);
  }

  /** Whether documents are still on their way into, out of or below these folders. */
  async isAtWork(_scope: Scope, manager: EntityManager, names: string[]): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `SELECT 1 FROM "ingest"."library_change" c, unnest(ARRAY[c."change"->>'from', c."change"->>'to', c."change"->>'folder']) AS "path", unnest($1::text[]) AS "name"
      WHERE c."change"->>'kind' IN ('move', 'rename') AND ("path" = "name" OR starts_with("path", "name" || '/') OR starts_with("name", "path" || '/')) LIMIT 1`,
      [names],
    );
    return rows.length > 0;
  }

  /** With those above it. False when it was made before, or a document stands in it or below it. */
  async create(scope: Scope, manager: EntityManager, name: string): Promise<boolean> {
    // Of two who make it at once, one is told that it is there.
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 7303))`, [name]);
    if (await this.exists(scope, name, manager)) return false;
    await this.ensure(scope, manager, name);
    return true;
  }

  /** Makes the folder, and those above it, where they are missing. */
  async ensure(scope: Scope, manager: EntityManager, name: string): Promise<void> {
    // In the order of names: two who make nested folders at once do not lock each other out.
    await manager.query(
      `INSERT INTO "ingest"."folder" ("name", "user_id") SELECT "name", $2::int FROM unnest($1::text[]) AS "name" ORDER BY "name" ON CONFLICT DO NOTHING`,
      [[...listParents(name), name], scope.principal.userId],
    );
  }

  async exists(_scope: Scope, name: string, manager = this.dataSource.manager): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `SELECT 1 FROM "ingest"."folder" WHERE ${within('"name"')} UNION ALL SELECT 1 FROM "ingest"."document" WHERE "in_library" AND ${within('"folder"')} LIMIT 1`,
      [name],
    );
    return rows.length > 0;
  }

  /** Gives a folder and those below it another path; their documents are moved by a change. */
  async rename(scope: Scope, manager: EntityManager, from: string, to: string): Promise<void> {
    await this.ensure(scope, manager, to);
    await manager.query(
      `INSERT INTO "ingest"."folder" ("name", "user_id") SELECT $2::text || substr("name", length($1) + 1), "user_id" FROM "ingest"."folder" WHERE ${within('"name"')} ORDER BY 1 ON CONFLICT DO NOTHING`,
      [from, to],
    );
    await this.remove(scope, manager, from);
  }

  /** With those below it; documents are not touched. */
  async remove(_scope: Scope, manager: EntityManager, name: string): Promise<void> {
    await manager.query(`DELETE FROM "ingest"."folder" WHERE ${within('"name"')}`, [name]);
  }
}
