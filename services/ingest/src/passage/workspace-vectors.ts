import type { WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { PublishedChunk, WorkspaceSummary } from "../chunking/chunk.repository.ts";
import { DocumentLanguageRepository } from "../document/document.repository.ts";
import { Embedder } from "../index/embedder.ts";
import { VectorLanguages } from "../index/vector-languages.ts";

/** Finds the chunks, by id, that can't be among the vector hits. */
export type FindMissing = (live: ReadonlyMap<string, PublishedChunk>) => Promise<Set<string>>;

/** What hybrid search may use of a workspace's vectors. */
@Injectable()
export class WorkspaceVectors {
  constructor(
    private readonly embedder: Embedder,
    private readonly languages: VectorLanguages,
    private readonly documents: DocumentLanguageRepository,
  ) {}

  /** Like `Embedder.embedQuery`; also null if the vector could find nothing but noise. */
  async embedQuestion(
    scope: WorkspaceScope,
    question: string,
    { documents, languages }: WorkspaceSummary,
    mode: "hybrid" | "dense",
  ): ReturnType<Embedder["embedQuery"]> {
    const isUseful =
      documents > 0 && (mode === "dense" || (await this.languages.canFind(question, languages)));
    return isUseful ? this.embedder.embedQuery(question, scope) : null;
  }

  /**
   * Finds chunks that aren't embedded yet or are in a language without vectors; null if a summary
   * shows that there are none.
   */
  async openMissing(
    scope: WorkspaceScope,
    { languages, models, withoutVectors }: WorkspaceSummary,
    table: string,
  ): Promise<FindMissing | null> {
    const used = await this.languages.select(languages);
    if (used.length === languages.length && withoutVectors === 0 && models.length === 1)
      return null;
    return async (live) => {
      const chunks = [...live.values()];
      const ids = new Set(chunks.map((chunk) => chunk.workspaceDocumentId));
      const missing = await this.documents.listWithoutVectors(scope, [...ids], table, used);
      return new Set(
        chunks.filter((chunk) => missing.has(chunk.workspaceDocumentId)).map(({ id }) => id),
      );
    };
  }
}
