import {
  CarrelError,
  findByFileName,
  findLocalFiles,
  findUploaded,
  listLibraryFolder,
  openLibraryTree,
  readLibraryText,
  searchLocalFiles,
  type In,
  type Out,
  type Scope,
  type moveLibraryFiles,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { readFolderPath, splitDocpath } from "../document/docpath.ts";
import { mayRead, readerOf } from "../document/reader.ts";
import { FolderRepository } from "./folder.repository.ts";
import { LibraryTree } from "./library-tree.ts";
import { LibraryRepository } from "./library.repository.ts";
import { UploadedDocuments } from "./uploaded-documents.ts";

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
      FROM ingest.document d
      WHERE d.docpath = ANY($1::text[]) AND d.in_library AND ${mayRead("d.id", "$2::int")}
      ORDER BY d.id FOR UPDATE OF d`,
      [[...moves.keys()], readerOf(scope)],
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

/** Maximum number of search results for existing clients (wire-contract 2.4). */
const maxFound = 50;
/** Tree order: a folder comes before its descendants. */
const byPath = (a: { name: string }, b: { name: string }): number => {
  const [left, right] = [a.name.split("/"), b.name.split("/")];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1)
    if (left[at] !== right[at]) return left[at]!.localeCompare(right[at]!);
  return left.length - right.length;
};

/** Reads the library as the tree of files that existing clients know. */
@Controller()
export class LibraryFileHandler {
  constructor(
    private readonly library: LibraryRepository,
    private readonly tree: LibraryTree,
    private readonly uploads: UploadedDocuments,
  ) {}

  @Handle(searchLocalFiles)
  async search(
    { q }: In<typeof searchLocalFiles>,
    { scope }: RequestContext,
  ): Promise<Out<typeof searchLocalFiles>> {
    const words = q.trim();
    if (words === "") return { results: [] };
    const [named, written] = await Promise.all([
      this.library.findByName(scope, words, maxFound),
      this.library.findByText(scope, words, maxFound),
    ]);
    const found = await this.tree.listRows(scope, {
      ids: [...new Set([...named, ...written])].slice(0, maxFound),
    });
    const folders = Map.groupBy(found, (entry) => entry.folder);
    return {
      results: [...folders]
        .map(([name, entries]) => ({
          name,
          type: "folder" as const,
          items: entries.flatMap(({ file }) => file ?? []),
        }))
        .sort(byPath),
    };
  }

  @Handle(openLibraryTree)
  async wholeTree(
    _input: In<typeof openLibraryTree>,
    { scope }: RequestContext,
  ): Promise<Out<typeof openLibraryTree>> {
    return { pipe: await this.tree.openWhole(scope) };
  }

  @Handle(listLibraryFolder)
  treeFolder(
    { folder, offset, limit }: In<typeof listLibraryFolder>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listLibraryFolder>> {
    return this.tree.listFolder(scope, folder, offset, limit);
  }

  @Handle(findLocalFiles)
  async byDocpaths(
    { docpaths }: In<typeof findLocalFiles>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findLocalFiles>> {
    const found = await this.tree.listRows(scope, { docpaths });
    return {
      documents: found.flatMap(({ folder, file }) =>
        file === null ? [] : [{ ...file, docpath: `${folder}/${file.name}` }],
      ),
    };
  }

  @Handle(findUploaded)
  uploaded(
    { documentId, offset }: In<typeof findUploaded>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findUploaded>> {
    return this.uploads.list(scope, documentId, offset);
  }

  @Handle(readLibraryText)
  text(
    { documentId, start }: In<typeof readLibraryText>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readLibraryText>> {
    return this.uploads.readText(scope, documentId, start);
  }

  @Handle(findByFileName)
  async byFileName(
    { name }: In<typeof findByFileName>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findByFileName>> {
    const [found] = await this.tree.listRows(scope, {
      ids: await this.uploads.findIds(scope, name),
    });
    if (!found?.file) throw new CarrelError("document.not-in-workspace");
    return { document: found.file };
  }
}
