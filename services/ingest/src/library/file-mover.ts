import type { moveLibraryFiles, Out, Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { readFolderPath, splitDocpath } from "../document/folder-path.ts";
import { FolderRepository } from "./folder.repository.ts";

interface Move {
  from: string;
  to: string;
}

/** Renames documents by docpath, the way existing clients do (wire-contract 6.1). */
@Injectable()
export class FileMover {
  constructor(private readonly folders: FolderRepository) {}

  /**
   * Documents used by a workspace are not moved and counted as `held`. Unknown documents, invalid
   * names and names already taken are counted as `failed`.
   */
  async move(
    scope: Scope,
    manager: EntityManager,
    files: Move[],
  ): Promise<Out<typeof moveLibraryFiles>> {
    const moves = new Map<string, { to: string; folder: string }>();
    const targets = new Set<string>();
    for (const { from, to } of files) {
      const target = readTarget(to);
      if (target === null || targets.has(target.to) || moves.has(from)) continue;
      targets.add(target.to);
      moves.set(from, target);
    }
    await this.folders.holdLibrary(manager);
    const there = await manager.query<{ id: string; docpath: string; held: boolean }[]>(
      `SELECT d.id, d.docpath, EXISTS (SELECT 1 FROM ingest.workspace_document w WHERE w.document_id = d.id) AS held
      FROM ingest.document d WHERE d.docpath = ANY($1::text[]) AND d.in_library ORDER BY d.id FOR UPDATE OF d`,
      [[...moves.keys()]],
    );
    const free = there.filter((row) => !row.held);
    const wanted = free.map((row) => moves.get(row.docpath)!);
    const taken = new Set(
      (
        await manager.query<{ docpath: string }[]>(
          `SELECT docpath FROM ingest.document WHERE docpath = ANY($1::text[])`,
          [wanted.map((one) => one.to)],
        )
      ).map((row) => row.docpath),
    );
    // A move to the document's current path counts as done.
    const moving = free
      .map((row, n) => ({ id: row.id, from: row.docpath, ...wanted[n]! }))
      .filter((one) => one.from === one.to || !taken.has(one.to));
    for (const folder of [...new Set(moving.map((one) => one.folder))].sort())
      await this.folders.ensure(scope, manager, folder);
    await manager.query(
      `UPDATE ingest.document d SET folder = m.folder, docpath = m."to", updated_at = now()
      FROM unnest($1::uuid[], $2::text[], $3::text[]) AS m(id, folder, "to")
      WHERE d.id = m.id`,
      [moving.map((one) => one.id), moving.map((one) => one.folder), moving.map((one) => one.to)],
    );
    const held = there.length - free.length;
    return { moved: moving.length, held, failed: files.length - held - moving.length };
  }
}

const longestName = 255;
// oxlint-disable-next-line no-control-regex
const unfit = /[\u0000-\u001f\u007f\\]|^\.+$/;

function readTarget(to: string): { to: string; folder: string } | null {
  const parts = splitDocpath(to);
  if (parts === null || parts.name.length > longestName || unfit.test(parts.name)) return null;
  try {
    const folder = readFolderPath(parts.folder);
    return { folder, to: `${folder}/${parts.name}` };
  } catch {
    // No folder can have that path; the caller counts the move as failed.
    return null;
  }
}
