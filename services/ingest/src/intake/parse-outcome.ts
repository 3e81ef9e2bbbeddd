import { servicePrincipal, type KnownFault } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import type { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { DocumentPublisher } from "../index/document-publisher.ts";
import { TextWriter } from "../index/text-writer.ts";
import { ParsedWriter, type ParsedResult } from "./parsed-writer.ts";
import { ParsingRepository } from "./parsing.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Stores the outcome of parsing. */
@Injectable()
export class ParseOutcome {
  constructor(
    private readonly dataSource: DataSource,
    private readonly parsing: ParsingRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly writer: TextWriter,
    private readonly publisher: DocumentPublisher,
    private readonly parsed: ParsedWriter,
    private readonly sweeper: BlobSweeper,
  ) {}

  /**
   * Stores the text and, if it came with chunks, publishes them in each workspace. Returns the rows
   * that were published, or null if the document is no longer due.
   */
  async save(result: ParsedResult): Promise<WorkspaceDocument[] | null> {
    const written = await this.writeTerms(result);
    await this.publisher.prepare();
    return this.parsed.save({ ...result, written });
  }

  /**
   * Marks a failure; without `keepOriginal`, the original is deleted because its bytes are the
   * cause. False if this run no longer holds the document.
   */
  async fail(document: Document, reason: KnownFault, keepOriginal: boolean): Promise<boolean> {
    const failed = await this.dataSource.transaction(async (manager) => {
      const failed = await this.parsing.fail(scope, manager, document, reason, keepOriginal);
      if (failed === null) return false;
      await this.workspaceDocuments.failOfDocument(scope, manager, document.id, reason);
      if (failed.droppedBlob) await this.sweeper.note(manager, [failed.droppedBlob]);
      return true;
    });
    this.sweeper.soon();
    return failed;
  }

  /** Leaves the document to the reconciler; false if it is no longer due. */
  postpone(document: Document, reason: KnownFault): Promise<boolean> {
    return this.parsing.postpone(scope, document, reason);
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
}
