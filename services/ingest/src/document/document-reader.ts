import { acceptedKeys } from "@carrel/config";
import {
  webAddressOf,
  type getLibraryDocumentText,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { LinkTokens } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { IngestConfig } from "../ingest.config.ts";
import { headingsAt, pageAt } from "../parsing/heading-path.ts";
import { rectanglesFor } from "../parsing/rectangles.ts";
import { AudienceRepository } from "./audience.repository.ts";
import type { Document } from "./document.entity.ts";
import { TextRepository } from "./text.repository.ts";

/**
 * Characters of a document in one reply; at three bytes each they stay below the maximum reply
 * size.
 */
const longestRange = 150_000;
/**
 * Lines are counted from the beginning, and line numbers are of no use beyond this many characters.
 */
const longestCounted = 2_000_000;

/** Reads a document for the viewer. The caller checks who may see it. */
@Injectable()
export class DocumentReader {
  private readonly links: LinkTokens;

  constructor(
    @Inject(CONFIG) config: IngestConfig,
    private readonly texts: TextRepository,
    private readonly audiences: AudienceRepository,
  ) {
    this.links = new LinkTokens(...acceptedKeys(config, "links"));
  }

  async read(
    scope: Scope,
    document: Document,
    input: Pick<In<typeof getLibraryDocumentText>, "start" | "end" | "markStart" | "markEnd">,
  ): Promise<Out<typeof getLibraryDocumentText>> {
    const length = document.textLength;
    const start = Math.min(input.start, length);
    const end = Math.max(start, Math.min(input.end ?? length, start + longestRange, length));
    const place = Math.min(input.markStart ?? start, length);
    const marked = {
      documentId: document.id,
      start: place,
      end: Math.max(place, Math.min(input.markEnd ?? place, place + longestRange, length)),
    };
    const [text, pages, lines, access] = await Promise.all([
      this.texts.read(scope, { documentId: document.id, start, end }),
      document.pages === null
        ? new Map<string, never[]>()
        : this.texts.readPages(scope, [{ ...marked, end: marked.end + 1 }]),
      document.kind === "code" && marked.end > marked.start && marked.end <= longestCounted
        ? this.countLines(scope, marked)
        : null,
      this.audiences.describe([document]),
    ]);
    const near = pages.get(document.id) ?? [];
    const headingPath = headingsAt(document.headings, place).map((heading) => heading.title);
    // Uploads may name any source.
    const sourceUrl = document.isUpload
      ? null
      : webAddressOf(document.chunkSource, headingPath.at(-1));
    const page = document.pages === null ? null : pageAt(near, place);
    const size = near.find((each) => each.page === page);
    return {
      title: document.title,
      mime: document.mime,
      ...guessedEncoding(document),
      text,
      start,
      end,
      length,
      pages: document.pages,
      page,
      lines,
      headingPath,
      rectangles: rectanglesFor(near, marked.start, marked.end),
      pageSize: size && size.width > 0 ? { width: size.width, height: size.height } : null,
      originalUrl: this.signOriginal(scope, document),
      ...(sourceUrl !== null && { sourceUrl }),
      ...(document.checkedAt && {
        asOf: document.checkedAt.toISOString(),
        revision: document.revision,
      }),
      access: access.get(document.id)!,
    };
  }

  /** A short-lived address of the original; null if none was kept. */
  signOriginal(
    scope: Scope,
    document: Pick<Document, "blobKey" | "filename" | "mime">,
  ): string | null {
    if (document.blobKey === null) return null;
    return `/api/blob/${this.links.sign({ key: document.blobKey, filename: document.filename, mime: document.mime, userId: scope.principal.userId })}`;
  }

  private async countLines(
    scope: Scope,
    marked: { documentId: string; start: number; end: number },
  ): Promise<NonNullable<Out<typeof getLibraryDocumentText>["lines"]>> {
    const text = await this.texts.read(scope, { ...marked, start: 0 });
    const breaksIn = (part: string): number => part.split("\n").length - 1;
    const first = 1 + breaksIn(text.slice(0, marked.start));
    // A passage that ends with a line break ends on that line.
    return { first, last: first + breaksIn(text.slice(marked.start).trimEnd()) };
  }
}

function guessedEncoding({ notes }: Document): { encoding?: string } {
  const note = notes?.find(({ code }) => code === "file-note.encoding-guessed");
  const encoding = note?.params?.encoding;
  return typeof encoding === "string" ? { encoding } : {};
}
