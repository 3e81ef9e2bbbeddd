import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { ownerOf } from "../document/document-jobs.ts";
import type { Document } from "../document/document.entity.ts";
import { TextRepository } from "../document/text.repository.ts";
import { nextWindowEnd } from "../parsing/heading-path.ts";
import { detectDocumentLanguage } from "../work-pool/split-window.ts";
import { windowLength, type Chunking, type PreparedChunk } from "../work-pool/work.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";

/** Windows being split while the caller works on one. */
const maxWindowsAhead = 2;

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
   * the end of the window in the text. While the caller works on a window, the next ones are split.
   */
  async *split(
    document: Document,
    workspaceId: number,
    chunking: Chunking,
  ): AsyncGenerator<{ chunks: PreparedChunk[]; end: number }> {
    const { id: documentId, title, headings, textLength } = document;
    const owner = ownerOf(document.userId, workspaceId);
    const pages = await this.texts.listPageStarts(scope, documentId);
    const windows: Promise<{ chunks: PreparedChunk[]; end: number }>[] = [];
    let offset = 0;
    // Detected once and here, so that no window waits for the first.
    let language: string | null | undefined;
    const startNext = async (): Promise<void> => {
      const ahead = await this.texts.read(scope, {
        documentId,
        start: offset,
        end: Math.min(textLength, offset + windowLength + 2),
      });
      const text = ahead.slice(0, nextWindowEnd(ahead, windowLength));
      if (language === undefined) language = detectDocumentLanguage(text);
      const task = { text, offset, title, headings, pages, chunking, language };
      offset += text.length;
      const end = offset;
      const window = this.pool.split(task, owner).then((chunks) => ({ chunks, end }));
      // A caller that stops early doesn't wait for it.
      window.catch(() => undefined);
      windows.push(window);
    };
    const startAll = async (): Promise<void> => {
      while (windows.length < maxWindowsAhead && offset < textLength) await startNext();
    };
    await startAll();
    for (let window = windows.shift(); window; window = windows.shift()) {
      await startAll();
      yield await window;
    }
  }
}
