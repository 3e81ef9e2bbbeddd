import { servicePrincipal, type KnownFault } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { DocumentPublisher } from "../index/document-publisher.ts";
import { IndexWriter } from "../index/index-writer.ts";
import { failRevision } from "../revision/revision.repository.ts";
import { Batcher } from "../work-pool/batcher.ts";
import { SearchPriority } from "../work-pool/search-priority.ts";
import { windowLength, type NamedText } from "../work-pool/work.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import { SheetDocuments, type SheetName } from "./sheet-documents.ts";
import { UnreadPictures } from "./unread-pictures.ts";

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
  /** Whether the caller embeds what is published, if the embedder is ready. */
  isEmbeddedHere: boolean;
}

/** A result whose terms are written, with their places by workspace document. */
interface WrittenResult extends ParsedResult {
  written: Map<WorkspaceDocument, string>;
}
type Outcome = { published: WorkspaceDocument[] | null } | { fault: unknown };

/** Documents stored in one transaction. */
const maxPerTransaction = 16;

/**
 * Stores parsed documents and publishes their chunks. Documents that are ready together share a
 * transaction, because each commit waits for the disk. Long ones, which can take seconds to store,
 * never share one with others, and don't delay them.
 */
@Injectable()
export class ParsedWriter {
  private readonly groups = new Batcher<WrittenResult, Outcome>((group) => this.saveGroup(group), {
    maxItems: maxPerTransaction,
  });
  private readonly long = new Batcher<WrittenResult, Outcome>((group) => this.saveGroup(group), {
    maxItems: 1,
  });

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly parsing: ParsingRepository,
    private readonly sheets: SheetDocuments,
    private readonly pictures: UnreadPictures,
    private readonly publisher: DocumentPublisher,
    private readonly priority: SearchPriority,
  ) {}

  /** Returns the rows that were published, or null if the document is no longer due. */
  async save(result: WrittenResult): Promise<WorkspaceDocument[] | null> {
    const length = result.texts.reduce((sum, { text }) => sum + text.textLength, 0);
    const outcome = await (length > windowLength ? this.long : this.groups).run(result);
    if ("fault" in outcome) throw outcome.fault;
    return outcome.published;
  }

  /**
   * One transaction for all; if it fails, one for each, so that a fault only affects its own
   * document.
   */
  private async saveGroup(group: WrittenResult[]): Promise<Outcome[]> {
    try {
      return await this.saveTogether(group);
    } catch (fault) {
      if (group.length === 1) return [{ fault }];
      this.logger.warn(
        { err: fault, documents: group.length },
        "couldn't store documents in one transaction, so each is stored in its own",
      );
      const outcomes: Outcome[] = [];
      for (const result of group) outcomes.push(...(await this.saveGroup([result])));
      return outcomes;
    }
  }

  private async saveTogether(group: WrittenResult[]): Promise<Outcome[]> {
    const chunks = group.map(({ texts }) => texts[0]!.text.chunks?.length ?? Infinity);
    await this.priority.giveWay(chunks.reduce((sum, count) => sum + count, 0));
    return this.dataSource.transaction(async (manager) => {
      const saved = await this.parsing.saveParsed(
        scope,
        manager,
        group.map(({ document: { id, version }, texts }) => ({
          id,
          version,
          text: texts[0]!.text,
        })),
      );
      const due = group.filter(({ document }) => saved.has(document.id));
      for (const { document, written } of group)
        if (!saved.has(document.id))
          for (const w of written.keys()) await this.publisher.abandon(manager, w);
      // Until they are indexed again, their passages would be cut out of the new text.
      const again = due.filter(({ document }) => document.version > 1);
      await this.publisher.withdraw(
        manager,
        again.map(({ document }) => document.id),
        again.flatMap(({ written }) => [...written.keys()].map((w) => w.id)),
      );
      for (const result of due) await this.saveSheets(manager, result);
      await this.parsing.queueRevisions(
        scope,
        manager,
        due.map(({ document }) => document),
      );
      await this.pictures.queue(
        scope,
        manager,
        due.map(({ document, texts, targets }) => ({
          document,
          text: texts[0]!.text,
          workspaceId: targets[0]?.workspaceId ?? null,
        })),
      );
      const published = await this.publisher.publishSearchable(
        manager,
        due.flatMap(({ texts, written, isEmbeddedHere }) =>
          [...written].map(([w, textPlace]) => ({
            w,
            chunks: texts[0]!.text.chunks!,
            textPlace,
            isEmbeddedHere,
          })),
        ),
      );
      await this.publisher.enqueue(
        manager,
        due.flatMap(({ targets, written }) => targets.filter((w) => !written.has(w))),
      );
      const byDocument = Map.groupBy(published, (w) => w.documentId);
      return group.map(({ document: { id } }) => ({
        published: saved.has(id) ? (byDocument.get(id) ?? []) : null,
      }));
    });
  }

  private async saveSheets(
    manager: EntityManager,
    { document, texts, names, targets }: ParsedResult,
  ): Promise<void> {
    if (texts[0]!.name === null) return;
    const { folder, docpath, title } = document;
    const uploadId = texts.length > 1 ? document.id : null;
    const sheetCount = texts.length;
    await manager.update(
      Document,
      { id: document.id },
      { folder, docpath, title, uploadId, sheetCount },
    );
    await this.sheets.create(
      scope,
      manager,
      { ...document, uploadId, sheetCount },
      texts.slice(1).map((named, n) => ({ named, name: names[n + 1]! })),
      targets,
    );
  }
}

/** Stores the outcome of parsing. */
@Injectable()
export class ParseOutcome {
  constructor(
    private readonly dataSource: DataSource,
    private readonly parsing: ParsingRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly writer: IndexWriter,
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
      const { revises, sha256 } = document;
      if (revises !== null) {
        await failRevision(manager, document, reason);
        if (keepOriginal && sha256 !== null)
          await this.parsing.reportFailedRevision(manager, revises, sha256, reason);
      }
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
      await this.writer.writeTerms(w, chunks, 0, stillFirst).then(
        (textPlace) => written.set(w, textPlace),
        () => undefined,
      );
    return written;
  }
}
