import type { In, Out, WorkspaceScope, lookUpDocuments } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { mayRead, readerOf } from "../document/reader.ts";
import { buildWordFilter, type Bind } from "../library/library-query.ts";
import { LibraryRepository } from "../library/library.repository.ts";
import { conditionOf } from "../passage/document-filter.ts";

type Found = Out<typeof lookUpDocuments>["documents"][number];

/** UTF-16 units, so that a page of documents fits into a reply. */
const longestDescription = 2_000;

/** Finds documents of a workspace by title, words and filter. */
@Injectable()
export class DocumentLookup {
  constructor(
    private readonly dataSource: DataSource,
    private readonly library: LibraryRepository,
  ) {}

  async find(
    scope: WorkspaceScope,
    { title, search, filter, offset, limit }: In<typeof lookUpDocuments>,
  ): Promise<Out<typeof lookUpDocuments>> {
    const words = await this.library.planWords(scope, search);
    const { condition, values } = conditionOf(filter, 3);
    const parameters: unknown[] = [scope.workspace.id, readerOf(scope), ...values];
    const bind: Bind = (value) => `$${parameters.push(value)}`;
    const parts = [
      "w.workspace_id = $1",
      mayRead("w.document_id", "$2::int"),
      ...(condition === null ? [] : [condition]),
      ...(title === undefined ? [] : [`lower(d.title) = lower(${bind(title)}::text)`]),
      ...(words === null
        ? []
        : [buildWordFilter("w.document_id", { ...words, isFew: true }, bind)]),
    ];
    const from = `FROM ingest.workspace_document w
      JOIN ingest.document d ON d.id = w.document_id AND d.in_library
      WHERE ${parts.join(" AND ")}`;
    const counted = [...parameters];
    const [documents, [count]] = await Promise.all([
      this.dataSource.query<(Omit<Found, "addedAt"> & { addedAt: Date })[]>(
        `SELECT d.id, d.title, d.docpath, d.folder, d.mime, d.pages, d.word_count AS "wordCount",
          d.text_length AS length, w.created_at AS "addedAt", d.url, d.doc_author AS "docAuthor",
          left(d.description, ${longestDescription}) AS description, d.doc_source AS "docSource",
          d.chunk_source AS "chunkSource", d.published
        ${from}
        ORDER BY w.id DESC LIMIT ${bind(limit)} OFFSET ${bind(offset)}`,
        parameters,
      ),
      this.dataSource.query<{ n: number }[]>(`SELECT count(*)::int AS n ${from}`, counted),
    ]);
    return {
      documents: documents.map((each) => ({ ...each, addedAt: each.addedAt.toISOString() })),
      total: count!.n,
    };
  }
}
