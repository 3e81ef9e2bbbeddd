import { servicePrincipal } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { Document } from "../document/document.entity.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { DocumentPublisher } from "../index/document-publisher.ts";
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

/** A result whose terms are written; the places where, by workspace document. */
export interface WrittenResult extends ParsedResult {
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

  /** One transaction for all; if it fails, one for each, so that a fault stays with its document. */
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
