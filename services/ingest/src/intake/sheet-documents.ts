import { randomUUID } from "node:crypto";
import path from "node:path/posix";
import { clipText, workspaceDocumentsChanged, type Scope } from "@carrel/contracts";
import { Outbox, eventMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { buildSlug, cleanFolderPath, defaultFolder, revisionDocpath } from "../document/docpath.ts";
import { indexJob } from "../document/document-jobs.ts";
import { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { withoutHiddenMark } from "../parsing/parsed-document.ts";
import type { NamedText } from "../work-pool/work.ts";
import { ParsingRepository } from "./parsing.repository.ts";

/** A sheet's document name (wire-contract 6.2). */
export type SheetName = Pick<Document, "folder" | "docpath" | "title">;

/**
 * Unique names for the sheets of one spreadsheet, in a separate folder unless the uploader chose
 * one.
 */
export function nameSheets(
  document: Pick<Document, "id" | "folder" | "filename" | "title">,
  names: string[],
): SheetName[] {
  const own = document.folder === defaultFolder;
  const folder = own
    ? `${clipText(buildSlug(document.filename), 80)}-${document.id.slice(0, 8)}`
    : document.folder;
  const taken = new Set<string>();
  return names.map((name) => {
    const slug = `sheet-${buildSlug(withoutHiddenMark(name))}${own ? "" : `-${document.id.slice(0, 8)}`}`;
    let file = slug;
    for (let n = 2; taken.has(file); n++) file = `${slug}-${n}`;
    taken.add(file);
    return {
      folder,
      docpath: `${folder}/${file}.json`,
      title: clipText(`${document.title} - Sheet:${name}`, 1_000),
    };
  });
}

/**
 * Unique names for the files of an archive, in its folders: below the folder that the uploader chose,
 * or below one named after the archive.
 */
export function nameMembers(
  document: Pick<Document, "id" | "folder" | "filename">,
  paths: string[],
): SheetName[] {
  const mark = document.id.slice(0, 8);
  const archive = clipText(buildSlug(document.filename.replace(/\.zip$/i, "")), 80);
  const base = document.folder === defaultFolder ? `${archive}-${mark}` : document.folder;
  const taken = new Set<string>();
  return paths.map((member) => {
    const folder = cleanFolderPath(`${base}/${path.dirname(member)}`) ?? base;
    const file = path.basename(member);
    const slug = `${folder}/${buildSlug(file)}-${mark}`;
    let name = slug;
    for (let n = 2; taken.has(name); n++) name = `${slug}-${n}`;
    taken.add(name);
    return { folder, docpath: `${name}.json`, title: clipText(file, 1000) };
  });
}

/** The names of the parts that an original's texts become. */
export function nameParts(document: Document, texts: readonly NamedText[]): SheetName[] {
  const nameAll = texts[0]!.isMember ? nameMembers : nameSheets;
  const parts = texts.map((text) => text.name ?? "");
  const { id, revises } = document;
  if (revises === null) return nameAll(document, parts);
  // As the document itself would name them, so that each replaces the part with its name.
  return nameAll({ ...document, id: revises }, parts).map(({ docpath, ...name }) => ({
    ...name,
    docpath: revisionDocpath(docpath, id),
  }));
}

/**
 * Creates one document per sheet of a spreadsheet: the uploaded document becomes the first, and the
 * others share its original and its workspaces.
 */
@Injectable()
export class SheetDocuments {
  constructor(
    private readonly dataSource: DataSource,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly outbox: Outbox,
    private readonly parsing: ParsingRepository,
  ) {}

  /** Returns each upload's documents after the first, ordered by docpath. */
  listFurther(
    _scope: Scope,
    uploadIds: string[],
  ): Promise<{ id: string; docpath: string; uploadId: string }[]> {
    return this.dataSource.query(
      `SELECT id, docpath, upload_id AS "uploadId"
      FROM ingest.document
      WHERE upload_id = ANY($1::uuid[]) AND id <> upload_id
      ORDER BY docpath`,
      [uploadIds],
    );
  }

  /**
   * Runs in the transaction that stores the first sheet. `others` holds the remaining texts with
   * their names.
   */
  async create(
    scope: Scope,
    manager: EntityManager,
    first: Document,
    others: { named: NamedText; name: SheetName }[],
    targets: WorkspaceDocument[],
  ): Promise<void> {
    if (others.length === 0) return;
    // Held, so that a change of who may see the upload comes before its documents or reaches them.
    const [{ audienceId } = { audienceId: first.audienceId }] = await manager.query<
      { audienceId: number | null }[]
    >(`SELECT audience_id AS "audienceId" FROM ingest.document WHERE id = $1 FOR UPDATE`, [
      first.id,
    ]);
    for (const { named, name } of others) {
      const id = randomUUID();
      await manager.insert(Document, {
        ...first,
        ...name,
        id,
        audienceId,
        uploadId: first.id,
        state: "queued",
        version: 1,
        reason: null,
        leaseUntil: null,
      });
      await this.parsing.saveParsed(scope, manager, [{ id, version: 1, text: named.text }]);
      for (const target of targets) {
        const workspace = serviceScope(target.workspaceId);
        const due = await this.workspaceDocuments.add(workspace, manager, id);
        if (due) await this.outbox.add(manager, indexJob(due, target.workspaceId));
      }
    }
    for (const workspaceId of new Set(targets.map((target) => target.workspaceId)))
      await this.outbox.add(manager, eventMessage(workspaceDocumentsChanged, { workspaceId }));
  }
}
