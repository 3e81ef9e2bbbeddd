import { randomUUID } from "node:crypto";
import {
  describePlaces,
  findParsedFiles,
  findPassages,
  listHiddenDocuments,
  listLeadPassages,
  listContextTexts,
  findPageStart,
  lookUpDocuments,
  readDocumentPart,
  searchPassages,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import type { ServiceDefinition } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { FIXTURE, type Fixture, type FixtureDocument } from "./fixture.ts";
import { standIn } from "./stand-in.ts";

@Controller()
class IngestStandIn {
  constructor(@Inject(FIXTURE) private readonly fixture: Fixture) {}

  @Handle(searchPassages)
  async search(
    input: In<typeof searchPassages>,
    ctx: RequestContext,
  ): Promise<Out<typeof searchPassages>> {
    const id = ctx.scope.workspace!.id;
    this.fixture.searches.push(input);
    if (this.fixture.failingSearches.has(id)) throw new Error("the index is on fire");
    const passages = (this.fixture.passages.get(id) ?? [])
      .filter(
        (passage) =>
          !input.excludeDocumentIds.includes(passage.documentId) &&
          passage.score >= input.similarityThreshold,
      )
      .slice(0, input.topN);
    const documents = [...new Set(passages.map((passage) => passage.documentId))];
    return {
      passages,
      searched: [],
      documentCount: this.fixture.documentCounts.get(id) ?? (passages.length > 0 ? 1 : 0),
      dense: false,
      fallback: this.fixture.fallbacks.get(id) ?? null,
      milliseconds: 1,
      ...(input.names && {
        names: passages.map(({ title, docpath, page, headingPath }) => ({
          title,
          docpath,
          page,
          headingPath,
        })),
      }),
      trace:
        input.trace === 0
          ? null
          : {
              query: [input.previousQuery ?? [], input.query].flat().join("\n"),
              words: [{ text: "pump", weight: 1, found: true }],
              expansion: [],
              filter: input.filter,
              threshold: input.similarityThreshold,
              topN: input.topN,
              documentCount: 1,
              embedder: null,
              rerank: {
                kind: input.rerank ? "built-in" : null,
                model: null,
                count: 0,
                milliseconds: 0,
                fault: null,
              },
              candidateCount: passages.length,
              milliseconds: 1,
              documents,
              candidates: passages.map((passage, index) => [
                documents.indexOf(passage.documentId),
                passage.start,
                passage.end,
                null,
                null,
                passage.score,
                index + 1,
                passage.score,
                1,
                index + 1,
                null,
                0,
                null,
              ]),
            },
    };
  }

  @Handle(describePlaces)
  async describe(
    { places }: In<typeof describePlaces>,
    ctx: RequestContext,
  ): Promise<Out<typeof describePlaces>> {
    const known = this.fixture.passages.get(ctx.scope.workspace!.id) ?? [];
    return {
      places: places.map(({ documentId }) => {
        const passage = known.find((each) => each.documentId === documentId);
        return passage === undefined
          ? null
          : {
              title: passage.title,
              docpath: passage.docpath,
              page: passage.page,
              headingPath: passage.headingPath,
              excerpt: passage.text.slice(0, 300),
            };
      }),
    };
  }

  /** Pages like ingest, splitting a long text across several. */
  @Handle(listContextTexts)
  async texts(
    { threadId, maximumCharacters, after }: In<typeof listContextTexts>,
    ctx: RequestContext,
  ): Promise<Out<typeof listContextTexts>> {
    let room = maximumCharacters;
    const all = (this.fixture.fullTexts.get(ctx.scope.workspace!.id) ?? []).filter(
      (text) => text.kind === "pinned" || text.threadId === threadId,
    );
    const pieces = all.flatMap((text) => {
      const whole = text.text.slice(0, Math.max(0, room));
      room -= whole.length;
      return Array.from(
        { length: Math.ceil(whole.length / this.fixture.pageCharacters) },
        (_, index) => ({
          ...text,
          text: whole.slice(
            index * this.fixture.pageCharacters,
            (index + 1) * this.fixture.pageCharacters,
          ),
        }),
      );
    });
    const place = after === null ? 0 : Number(after);
    return {
      texts: pieces.slice(place, place + 1),
      next: place + 1 < pieces.length ? String(place + 1) : null,
    };
  }
  @Handle(findPassages)
  async living(
    { sources }: In<typeof findPassages>,
    ctx: RequestContext,
  ): Promise<Out<typeof findPassages>> {
    const living = this.fixture.living.get(ctx.scope.workspace!.id) ?? [];
    return {
      passages: sources.flatMap(({ id }) =>
        living
          .filter((passage) => passage.chunkId === id)
          .map((passage) => ({ ...passage, score: 0, denseScore: null, textScore: null })),
      ),
    };
  }
  @Handle(listLeadPassages)
  async lead(
    input: In<typeof listLeadPassages>,
    ctx: RequestContext,
  ): Promise<Out<typeof listLeadPassages>> {
    this.fixture.leads.push(input);
    const known = this.fixture.passages.get(ctx.scope.workspace!.id) ?? [];
    return {
      passages: known.map((passage) => ({
        ...passage,
        score: 0,
        denseScore: null,
        textScore: null,
      })),
    };
  }
  @Handle(listHiddenDocuments)
  async hidden(
    { documentIds }: In<typeof listHiddenDocuments>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof listHiddenDocuments>> {
    const { kind, userId } = principal;
    const seesAll = kind === "service" || kind === "instance";
    return {
      hidden: documentIds.filter((id) => {
        const readers = this.fixture.restricted.get(id);
        return readers !== undefined && !seesAll && !(kind === "user" && readers.includes(userId!));
      }),
    };
  }
  @Handle(lookUpDocuments)
  async lookUp(
    input: In<typeof lookUpDocuments>,
    ctx: RequestContext,
  ): Promise<Out<typeof lookUpDocuments>> {
    this.fixture.lookUps.push(input);
    const { title, search, offset, limit } = input;
    const { documentIds = [], folders = [], places } = input.filter;
    const found = this.documentsOf(ctx).filter(
      (each) =>
        (title === undefined || each.title.toLowerCase() === title.toLowerCase()) &&
        each.title.toLowerCase().includes(search.toLowerCase()) &&
        (documentIds.length === 0 || documentIds.includes(each.id)) &&
        (folders.length === 0 || folders.includes(each.folder ?? "")) &&
        (places === undefined ||
          places.documentIds.includes(each.id) ||
          places.folders.includes(each.folder ?? "")),
    );
    return {
      total: found.length,
      documents: found.slice(offset, offset + limit).map((each) => ({
        id: each.id,
        title: each.title,
        docpath: `${each.folder ?? "custom-documents"}/${each.id}.json`,
        folder: each.folder ?? "custom-documents",
        mime: "text/plain",
        pages: each.pages?.length ?? null,
        wordCount: 1,
        length: each.text.length,
        addedAt: "2026-11-21T00:00:00.000Z",
        url: `file://${each.title}`,
        docAuthor: "",
        description: "",
        docSource: "",
        chunkSource: "",
        published: "",
      })),
    };
  }
  @Handle(readDocumentPart)
  async part(
    { documentId, start, end }: In<typeof readDocumentPart>,
    ctx: RequestContext,
  ): Promise<Out<typeof readDocumentPart>> {
    const { text, pages = [] } = this.documentsOf(ctx).find(({ id }) => id === documentId)!;
    const first = pages.findLastIndex((page) => page.start <= start);
    return {
      text: text.slice(start, end),
      start,
      end: Math.min(end, text.length),
      pages: pages.slice(Math.max(0, first)).filter((page) => page.start < end),
      headings: [],
    };
  }
  @Handle(findPageStart)
  async pageStart(
    { documentId, page }: In<typeof findPageStart>,
    ctx: RequestContext,
  ): Promise<Out<typeof findPageStart>> {
    const { pages = [] } = this.documentsOf(ctx).find(({ id }) => id === documentId)!;
    return { start: pages.find((each) => each.page === page)?.start ?? null };
  }

  private documentsOf({ scope }: RequestContext): FixtureDocument[] {
    return this.fixture.documents.get(scope.workspace!.id) ?? [];
  }

  @Handle(findParsedFiles)
  async files({ threadId }: In<typeof findParsedFiles>): Promise<Out<typeof findParsedFiles>> {
    const tokenCountEstimate = this.fixture.files.get(threadId);
    const file = {
      id: 1,
      filename: "a.txt",
      workspaceId: 1,
      userId: null,
      threadId,
      metadata: "{}",
      createdAt: "2026-11-21T00:00:00.000Z",
      title: "a.txt",
      location: "a.txt",
      documentId: randomUUID(),
      reason: null,
    };
    return {
      files:
        tokenCountEstimate === undefined
          ? []
          : [
              { ...file, tokenCountEstimate, state: "parsed" },
              { ...file, tokenCountEstimate: 1_000, state: "queued" },
            ],
    };
  }
}

export const ingestStandIn = (fixture: Fixture): ServiceDefinition =>
  standIn(
    "ingest",
    IngestStandIn,
    [
      searchPassages,
      listContextTexts,
      findPassages,
      findPageStart,
      lookUpDocuments,
      readDocumentPart,
      listLeadPassages,
      describePlaces,
      findParsedFiles,
      listHiddenDocuments,
    ],
    fixture,
  );
