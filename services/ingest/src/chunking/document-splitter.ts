import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { Document } from "../document/document.entity.ts";
import { TextRepository } from "../document/text.repository.ts";
import { nextWindowEnd } from "../parsing/heading-path.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";
import { windowLength, type Chunking, type PreparedChunk } from "../work-pool/work.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Splits the stored text of a document into chunks. */
@Injectable()
export class DocumentSplitter {
  constructor(
    private readonly texts: TextRepository,
    private readonly pool: WorkerPool,
  ) {}

  /**
   * Yields the chunks window by window, so that memory use doesn't grow with the document; `end` is
   * the end of the window in the text.
   */
  async *split(
    document: Document,
    chunking: Chunking,
  ): AsyncGenerator<{ chunks: PreparedChunk[]; end: number }> {
    const pages = await this.texts.listPageStarts(scope, document.id);
    let language: string | null | undefined;
    for (let offset = 0; offset < document.textLength;) {
      const ahead = await this.texts.read(scope, {
        documentId: document.id,
        start: offset,
        end: Math.min(document.textLength, offset + windowLength + 2),
      });
      const text = ahead.slice(0, nextWindowEnd(ahead, windowLength));
      const window = await this.pool.split({
        text,
        offset,
        title: document.title,
        headings: document.headings,
        pages,
        chunking,
        language,
      });
      language = window.language;
      offset += text.length;
      yield { chunks: window.chunks, end: offset };
    }
  }
}
