import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import type { NamedModel } from "../embedding/embedding-models.ts";
import { IndexEntryRepository, type MissingDocument } from "./index-entry.repository.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { IndexWriter } from "./index-writer.ts";
import type { SearchIndex } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };
const pageSize = 512;

/**
 * Copies one document with its existing chunks to another index: its vectors and, if that index has
 * a separate full-text index, its terms.
 */
@Injectable()
export class DocumentCopier {
  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: DocumentRepository,
    private readonly chunks: ChunkRepository,
    private readonly entries: IndexEntryRepository,
    private readonly garbage: IndexGarbage,
    private readonly writer: IndexWriter,
  ) {}

  /**
   * Returns the number of chunks written; 0 if the document was removed or re-indexed in the
   * meantime.
   */
  async copy(
    to: SearchIndex,
    missing: MissingDocument,
    o: { named: NamedModel | null; withText: boolean; signal: AbortSignal },
  ): Promise<number> {
    const { id, workspaceId, documentId, indexVersion } = missing;
    const workspace = serviceScope(workspaceId);
    const document = await this.documents.find(scope, documentId);
    if (!document) return 0;
    const first = await this.entries.begin(scope, to.id, id);
    let written = 0;
    for (let after = -1; ;) {
      const page = await this.chunks.listPage(workspace, id, indexVersion, after, pageSize);
      if (page.length === 0) break;
      after = page.at(-1)!.ordinal;
      if (o.withText) await this.writer.copyTerms(to, { ...missing, title: document.title }, page);
      if (o.named && to.table !== null)
        await this.writer.writeVectors(
          { indexId: to.id, table: to.table, dimensions: to.dimensions },
          missing,
          page,
          { named: o.named, signal: o.signal, onDone: () => Promise.resolve(), first },
        );
      written += page.length;
      if (page.length < pageSize) break;
    }
    const isCurrent = await this.dataSource.transaction(async (manager) => {
      if (await this.entries.addEntry(scope, manager, to.id, missing)) return true;
      await this.garbage.add(workspace, manager, buildPublicationId(id, indexVersion));
      return false;
    });
    return isCurrent ? written : 0;
  }
}
