import type {
  describePlaces,
  findPassages,
  In,
  Out,
  Passage,
  WorkspaceScope,
} from "@carrel/contracts";
import type { SelectedPassage } from "@carrel/retrieval";
import { Injectable } from "@nestjs/common";
import { ChunkRepository, type LiveChunk } from "../chunking/chunk.repository.ts";
import { DocumentRepository, type DocumentMetadata } from "../document/document.repository.ts";
import { TextRepository } from "../document/text.repository.ts";
import type { ParsedPage } from "../parsing/parsed-document.ts";
import { rectanglesFor } from "../parsing/rectangles.ts";
import { PassageRepository, type StoredPassage } from "./passage.repository.ts";

/** Keeps a reply below 1 MB, at up to three bytes per character. */
const replyCharacters = 280_000;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Upper limit for passages; none has ever been longer. */
const longestPlace = 100_000;
const excerptCharacters = 300;

/**
 * Turns places in documents into passages with text, page and metadata, reading the current text.
 */
@Injectable()
export class PassageReader {
  constructor(
    private readonly chunks: ChunkRepository,
    private readonly documents: DocumentRepository,
    private readonly texts: TextRepository,
    private readonly passages: PassageRepository,
  ) {}

  /** Places cited in earlier answers, as far as their documents are still in the workspace. */
  async find(
    scope: WorkspaceScope,
    sources: In<typeof findPassages>["sources"],
  ): Promise<Passage[]> {
    const lengths = await this.chunks.listDocumentLengths(scope, [
      ...new Set(sources.map((source) => source.documentId)),
    ]);
    const places = sources.flatMap(({ id, documentId, start, end }) => {
      const length = lengths.get(documentId) ?? 0;
      return start < Math.min(end, length)
        ? [
            {
              chunkId: id,
              chunkIds: [id],
              documentId,
              start,
              end: Math.min(end, length, start + longestPlace),
              score: 0,
              denseScore: null,
              textScore: null,
            },
          ]
        : [];
    });
    const [published, near] = await Promise.all([
      this.chunks.listLive(
        scope,
        places.map((place) => place.chunkId).filter((id) => uuid.test(id)),
      ),
      this.chunks.listAt(scope, places),
    ]);
    const live = new Map<string, LiveChunk>(published);
    // Uses the original chunk if it still exists, otherwise the chunk now at that place.
    for (const [n, { chunkId, documentId, start, end }] of places.entries()) {
      if (live.get(chunkId)?.documentId !== documentId)
        live.set(chunkId, {
          id: chunkId,
          documentId,
          start,
          end,
          page: near[n]?.page ?? null,
          headingPath: near[n]?.headingPath ?? [],
          contentHash: "",
        });
    }
    return (await this.read(scope, places, live)).passages;
  }

  /** Titles and excerpts for places; null for documents no longer in the workspace. */
  async describe(
    scope: WorkspaceScope,
    places: In<typeof describePlaces>["places"],
  ): Promise<Out<typeof describePlaces>["places"]> {
    const ids = [...new Set(places.map((place) => place.documentId))];
    const lengths = await this.chunks.listDocumentLengths(scope, ids);
    const [near, texts, documents] = await Promise.all([
      this.chunks.listAt(scope, places),
      this.texts.readAll(
        scope,
        places.map(({ documentId, start, end }) => ({
          documentId,
          start,
          end: Math.min(end, start + excerptCharacters),
        })),
      ),
      this.documents.listMetadata(scope, [...lengths.keys()]),
    ]);
    const byId = new Map(documents.map((document) => [document.id, document]));
    return places.map(({ documentId }, n) => {
      const document = byId.get(documentId);
      return document === undefined
        ? null
        : {
            title: document.title,
            docpath: document.docpath,
            page: near[n]?.page ?? null,
            headingPath: near[n]?.headingPath ?? [],
            excerpt: wholeCharacters(texts[n]!),
          };
    });
  }

  /** Also says whether PostgreSQL still publishes these versions of workspace documents. */
  async read(
    scope: WorkspaceScope,
    selected: readonly SelectedPassage[],
    live: ReadonlyMap<string, LiveChunk>,
    publications: ReadonlyMap<number, number> = new Map(),
  ): Promise<{ passages: Passage[]; arePublished: boolean }> {
    if (selected.length === 0 && publications.size === 0)
      return { passages: [], arePublished: true };
    const ranges = selected.map(({ documentId, start, end }) => ({ documentId, start, end }));
    const paged = ranges.filter((_, n) => live.get(selected[n]!.chunkId)?.page !== null);
    const [{ passages, publishedCount }, pages] = await Promise.all([
      this.passages.read(scope, ranges, publications),
      this.texts.readPages(scope, paged),
    ]);
    return {
      passages: this.build(selected, passages, pages, live),
      arePublished: publishedCount === publications.size,
    };
  }

  private build(
    selected: readonly SelectedPassage[],
    stored: StoredPassage[],
    pages: ReadonlyMap<string, ParsedPage[]>,
    live: ReadonlyMap<string, LiveChunk>,
  ): Passage[] {
    let characters = 0;
    return selected.flatMap((passage, n): Passage[] => {
      // Removed since it was found, so treat it as already gone.
      if (stored[n] === null) return [];
      const { text, document } = stored[n]!;
      characters += text.length + 500;
      // Very long chunks: keep only the best ones.
      if (characters > replyCharacters && n > 0) return [];
      // Merged neighbours may be under other headings; report the page and headings of the matching
      // chunk.
      const best = live.get(passage.chunkId)!;
      const own = pages.get(document.id) ?? [];
      const rectangles = rectanglesFor(own, passage.start, passage.end);
      const spanned = own.filter(({ start, end }) => end > passage.start && start < passage.end);
      return [
        {
          chunkId: passage.chunkId,
          text,
          start: passage.start,
          end: passage.end,
          page: best.page,
          ...(spanned.length > 1 && {
            pageStarts: spanned.map(({ page, start }) => ({ page, start })),
          }),
          headingPath: best.headingPath,
          rectangles,
          score: passage.score,
          denseScore: passage.denseScore,
          textScore: passage.textScore,
          ...mapMetadata(document),
        },
      ];
    });
  }
}

/** Drops half of a surrogate pair at the end. */
const wholeCharacters = (text: string): string =>
  /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;

const mapMetadata = (d: DocumentMetadata) => ({
  documentId: d.id,
  docpath: d.docpath,
  title: d.title,
  url: d.url,
  docAuthor: d.docAuthor,
  description: d.description,
  docSource: d.docSource,
  chunkSource: d.chunkSource,
  published: d.published,
  wordCount: d.wordCount,
  tokenCountEstimate: d.tokenCount,
});
