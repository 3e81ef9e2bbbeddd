import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { DocumentRepository } from "../document/document.repository.ts";
import { TextRepository } from "../document/text.repository.ts";
import { ChunkVectors } from "../embedding/chunk-vectors.ts";
import type { NamedModel } from "../embedding/embedding-models.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { ChunkRepository, type ChunkRow } from "../chunking/chunk.repository.ts";
import { IndexStore } from "./index-store.ts";
import type { SearchIndex } from "./search-index.ts";
import type { MissingDocument } from "./index-entry.repository.ts";
import { SearchIndexRepository } from "./search-index.repository.ts";
import { IndexEntryRepository } from "./index-entry.repository.ts";
import { IndexGarbage } from "./index-garbage.ts";

const scope = { principal: servicePrincipal, workspace: null };
const pageSize = 512;
/** As much of a document tells its language, as when it was indexed. */
const languageSample = 20_000;

/**
 * Writes one document, split as it is, into another index: its vectors and, where words are looked
 * for elsewhere there, its terms.
 */
@Injectable()
export class DocumentCopier {
  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: DocumentRepository,
    private readonly texts: TextRepository,
    private readonly chunks: ChunkRepository,
    private readonly vectors: ChunkVectors,
    private readonly indexes: SearchIndexRepository,
    private readonly index: IndexStore,
    private readonly pool: WorkerPool,
    private readonly entries: IndexEntryRepository,
    private readonly garbage: IndexGarbage,
  ) {}

  /** Gives the chunks written; 0 when the document is another by now, or gone. */
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
    const publication = buildPublicationId(id, indexVersion);
    const text = o.withText ? await this.index.textOf(to) : null;
    const sample = text
      ? await this.texts.read(scope, { documentId, start: 0, end: languageSample })
      : "";
    let written = 0;
    for (let after = -1; ;) {
      const page = await this.chunks.listPage(workspace, id, indexVersion, after, pageSize);
      if (page.length === 0) break;
      after = page.at(-1)!.ordinal;
      const row = (chunk: ChunkRow) => ({
        id: chunk.id,
        workspaceId,
        documentId: publication,
        version: indexVersion,
      });
      if (text) {
        const pieces = await this.texts.readAll(
          scope,
          page.map(({ start, end }) => ({ documentId, start, end })),
        );
        const terms = await this.pool.terms({
          title: document.title,
          sample,
          pieces: pieces.map((piece, n) => ({ text: piece, headingPath: page[n]!.headingPath })),
        });
        await text.upsert(page.map((chunk, n) => ({ ...row(chunk), terms: terms[n]!.split(" ") })));
      }
      if (o.named && to.table !== null) {
        const vectors = await this.vectors.make(documentId, page, o.named, o.signal, () =>
          Promise.resolve(),
        );
        const dimensions = vectors[0]!.length;
        if (to.dimensions !== dimensions)
          await this.indexes.saveDimensions(scope, to.id, dimensions);
        const index = await this.index.vectors({ model: to.table, dimensions });
        await index.upsert(
          page.map((chunk, n) => ({ ...row(chunk), vector: vectors[n]! })),
          { first },
        );
      }
      written += page.length;
      if (page.length < pageSize) break;
    }
    const isNow = await this.dataSource.transaction(async (manager) => {
      if (await this.entries.addEntry(scope, manager, to.id, missing)) return true;
      // Removed or indexed anew meanwhile: what was just written belongs to nobody.
      await this.garbage.add(workspace, manager, publication);
      return false;
    });
    return isNow ? written : 0;
  }
}
