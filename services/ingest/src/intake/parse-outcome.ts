import { servicePrincipal, type KnownFault } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { DocumentPublisher } from "../index/document-publisher.ts";
import { TextWriter } from "../index/text-writer.ts";
import type { NamedText } from "../work-pool/work.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import { SheetDocuments, type SheetName } from "./sheet-documents.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** A parsed document with everything that is stored for it. */
export interface ParsedResult {
  document: Document;
  texts: NamedText[];
  /** Names of the documents created from the texts. */
  names: SheetName[];
  /** The workspaces waiting for it. */
  targets: WorkspaceDocument[];
  /** True if no earlier run has worked on this version. */
  first: boolean;
}

/** Stores the outcome of parsing a document in one transaction. */
@Injectable()
export class ParseOutcome {
  constructor(
    private readonly dataSource: DataSource,
    private readonly parsing: ParsingRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly sheets: SheetDocuments,
    private readonly writer: TextWriter,
    private readonly publisher: DocumentPublisher,
    private readonly sweeper: BlobSweeper,
  ) {}

  /**
   * Stores the text and, if it came with chunks, publishes them in each workspace. Returns the ids
   * that were published, or null if the document is no longer due.
   */
  async save(result: ParsedResult): Promise<Set<number> | null> {
    const { document, texts, targets } = result;
    const { text } = texts[0]!;
    const written = await this.writeTerms(result);
    const published = new Set<number>();
    await this.publisher.prepare();
    const isSaved = await this.dataSource.transaction(async (manager) => {
      const { id, version } = document;
      if (!(await this.parsing.saveParsed(scope, manager, id, version, text))) {
        for (const w of written.keys()) await this.publisher.abandon(manager, w);
        return false;
      }
      await this.saveSheets(manager, result);
      for (const [w, textPlace] of written)
        if (await this.publisher.publishSearchable(manager, w, text.chunks!, textPlace))
          published.add(w.id);
      const rest = targets.filter((w) => !written.has(w));
      if (rest.length > 0) await this.publisher.enqueue(manager, rest);
      return true;
    });
    return isSaved ? published : null;
  }

  /**
   * Marks a failure; without `keepOriginal`, the original is deleted because its bytes are the
   * cause.
   */
  async fail(document: Document, reason: KnownFault, keepOriginal: boolean): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const blobKey = await this.parsing.fail(
        scope,
        manager,
        document.id,
        document.version,
        reason,
        keepOriginal,
      );
      await this.workspaceDocuments.failOfDocument(scope, manager, document.id, reason);
      if (blobKey) await this.sweeper.note(manager, [blobKey]);
    });
    this.sweeper.soon();
  }

  /**
   * Writes the chunks' terms for each workspace and records where they were written. An unreachable
   * index must not lose the parsed text, so its workspaces are left to the reconciler.
   */
  private async writeTerms({
    document,
    texts,
    targets,
    first,
  }: ParsedResult): Promise<Map<WorkspaceDocument, string>> {
    const written = new Map<WorkspaceDocument, string>();
    const { chunks } = texts[0]!.text;
    if (!chunks) return written;
    const stillFirst = first ? () => this.parsing.holds(scope, document) : null;
    for (const w of targets)
      await this.writer.write(w, chunks, 0, stillFirst).then(
        (textPlace) => written.set(w, textPlace),
        () => undefined,
      );
    return written;
  }

  private async saveSheets(
    manager: EntityManager,
    { document, texts, names, targets }: ParsedResult,
  ): Promise<void> {
    if (texts[0]!.name === null) return;
    const { folder, docpath, title } = document;
    const uploadId = texts.length > 1 ? document.id : null;
    await manager.update(Document, { id: document.id }, { folder, docpath, title, uploadId });
    await this.sheets.create(
      scope,
      manager,
      { ...document, uploadId },
      texts.slice(1).map((named, n) => ({ named, name: names[n + 1]! })),
      targets,
    );
  }
}
