import {
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  type PDFDocumentLoadingTask,
} from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import type { DocumentScope } from "../api/document-text.ts";
import { OriginalFile, rangeBytes } from "../api/original-file.ts";

GlobalWorkerOptions.workerSrc = workerUrl;

const common = {
  cMapUrl: "/pdfjs/cmaps/",
  cMapPacked: true,
  standardFontDataUrl: "/pdfjs/standard_fonts/",
  // A system without Helvetica would draw a wider font, whose letters overlap.
  useSystemFonts: false,
  wasmUrl: "/pdfjs/wasm/",
  enableXfa: false,
};

/**
 * Gives pdf.js the ranges it asks for. Gives up after a range has failed three times, because
 * pdf.js itself would wait forever.
 */
class Ranges extends PDFDataRangeTransport {
  constructor(
    private readonly file: OriginalFile,
    length: number,
    first: Uint8Array<ArrayBuffer>,
    private readonly signal: AbortSignal,
    private readonly onFailure: (error: unknown) => void,
  ) {
    super(length, first);
  }
  override requestDataRange(begin: number, end: number): void {
    void this.deliver(begin, end, 0);
  }
  private async deliver(begin: number, end: number, attempt: number): Promise<void> {
    try {
      this.onDataRange(begin, (await this.file.read(begin, end)).bytes);
    } catch (error) {
      if (this.signal.aborted) return;
      if (attempt >= 2) return this.onFailure(error);
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
      await this.deliver(begin, end, attempt + 1);
    }
  }
}

/**
 * Opens the original: small files at once, of large ones only the parts that the visible pages
 * need. `onFailure` reports parts that fail to load later.
 */
export async function openPdf(
  slug: DocumentScope,
  documentId: string,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<PDFDocumentLoadingTask> {
  const file = new OriginalFile(slug, documentId, signal);
  const first = await file.read(0, rangeBytes);
  if (first.whole) return getDocument({ ...common, data: first.bytes });
  return getDocument({
    ...common,
    range: new Ranges(file, first.total, first.bytes, signal, onFailure),
    rangeChunkSize: rangeBytes,
    disableStream: true,
    disableAutoFetch: true,
  });
}
