import { servicePrincipal } from "@carrel/contracts";
import { openingAt } from "@carrel/retrieval/indexing";
import { Injectable } from "@nestjs/common";
import { ownerOf } from "../document/document-jobs.ts";
import type { Document } from "../document/document.entity.ts";
import { TextRepository } from "../document/text.repository.ts";
import { nextWindowEnd } from "../parsing/heading-path.ts";
import { detectDocumentLanguage } from "../work-pool/split-window.ts";
import {
  windowLength,
  type Chunking,
  type PreparedChunk,
  type SplitTask,
} from "../work-pool/work.ts";
import { WorkerPool } from "../work-pool/worker-pool.ts";

/** Windows being split while the caller works on one. */
const maxWindowsAhead = 2;

const scope = { principal: servicePrincipal, workspace: null };

/** Windows may be longer to end where one ended before. */
const longestWindow = Math.round(windowLength * 1.1);

/** How the chunks of an earlier text begin (`openingAt`). */
export interface ChunkOpenings {
  all: ReadonlySet<string>;
  /** Those that repeat nothing of the chunk before, as at the start of a window. */
  fresh: ReadonlySet<string>;
}

/** The latest place where a window may have begun before; null if the text is short or has none. */
function findWindowEnd(text: string, { all, fresh }: ChunkOpenings): number | null {
  if (text.length <= windowLength) return null;
  for (const openings of [fresh, all])
    for (
      let at = text.lastIndexOf("\n");
      at > windowLength / 2;
      at = text.lastIndexOf("\n", at - 1)
    )
      if (openings.has(openingAt(text, at + 1))) return at + 1;
  return null;
}

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
   * With `openings`, most chunks begin where those of the text before did.
   */
  async *split(
    document: Document,
    workspaceId: number,
    chunking: Chunking,
    openings: ChunkOpenings | null = null,
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
        end: Math.min(textLength, offset + (openings ? longestWindow : windowLength) + 2),
      });
      const text = ahead.slice(
        0,
        (openings && findWindowEnd(ahead, openings)) ?? nextWindowEnd(ahead, windowLength),
      );
      if (language === undefined) language = detectDocumentLanguage(text);
      const task: SplitTask = { text, offset, title, headings, pages, chunking, language };
      if (openings) task.openings = openings.all;
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
