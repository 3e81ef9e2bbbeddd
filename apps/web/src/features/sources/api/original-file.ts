import { queryOptions } from "@tanstack/react-query";
import { ApiError, failureOf } from "../../../lib/api.ts";
import { dataUrlOf, type ConversionRequest, type Converted } from "../worker/conversion.ts";
import { readText, type DocumentScope } from "./document-text.ts";

/** Bytes of the first request and of each range after it. */
export const rangeBytes = 262_144;

async function addressOfOriginal(
  slug: DocumentScope,
  documentId: string,
  signal: AbortSignal,
): Promise<string> {
  const { originalUrl } = await readText(slug, { documentId, start: 0, end: 1 }, signal);
  if (!originalUrl) throw new ApiError(404);
  return originalUrl;
}

const originalKeys = {
  converted: (slug: DocumentScope, documentId: string, encoding: string | undefined) => [
    "converted-document",
    slug,
    documentId,
    encoding,
  ],
  picture: (slug: DocumentScope, documentId: string) => ["original-picture", slug, documentId],
  recording: (slug: DocumentScope, documentId: string) => ["original-recording", slug, documentId],
  transcript: (slug: DocumentScope, documentId: string) => ["transcript", slug, documentId],
  page: (slug: DocumentScope, documentId: string, page: number) => [
    "original-page",
    slug,
    documentId,
    page,
  ],
} as const;

/**
 * The original of a document, read in ranges. Its signed URL expires after a minute; a refused one
 * is renewed, once per read.
 */
export class OriginalFile {
  private address: Promise<string> | null = null;
  constructor(
    private readonly slug: DocumentScope,
    private readonly documentId: string,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Bytes `begin` to `end` (exclusive), and the file's size. A server without range support returns
   * the whole file.
   */
  async read(
    begin: number,
    end: number,
  ): Promise<{ bytes: Uint8Array<ArrayBuffer>; total: number; whole: boolean }> {
    const response = await this.fetch({ Range: `bytes=${begin}-${end - 1}` });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const total = Number(
      /\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? bytes.length,
    );
    return { bytes, total, whole: response.status === 200 || bytes.length === total };
  }

  async readAll(): Promise<ArrayBuffer> {
    return (await this.fetch({})).arrayBuffer();
  }

  /** A page of a scan, as WebP. */
  async readPage(page: number): Promise<ArrayBuffer> {
    return (await this.fetch({}, `/pages/${page}`)).arrayBuffer();
  }

  private async fetch(headers: Record<string, string>, part = ""): Promise<Response> {
    this.address ??= addressOfOriginal(this.slug, this.documentId, this.signal);
    const used = this.address;
    let response = await fetch((await used) + part, { headers, signal: this.signal });
    if (response.status >= 400 && response.status < 500 && response.status !== 416) {
      if (this.address === used)
        this.address = addressOfOriginal(this.slug, this.documentId, this.signal);
      response = await fetch((await this.address) + part, { headers, signal: this.signal });
    }
    if (!response.ok) throw await failureOf(response);
    return response;
  }
}

/** Downloads the original under its own name. */
export async function saveOriginal(
  slug: DocumentScope,
  documentId: string,
  name: string,
): Promise<void> {
  const bytes = await new OriginalFile(slug, documentId, new AbortController().signal).readAll();
  const address = URL.createObjectURL(new Blob([bytes]));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A picture's original, as a data URL. */
export const pictureQuery = (slug: DocumentScope, documentId: string, mime: string) =>
  queryOptions({
    queryKey: originalKeys.picture(slug, documentId),
    queryFn: async ({ signal }) =>
      dataUrlOf(await new OriginalFile(slug, documentId, signal).readAll(), mime),
    retry: false,
    staleTime: Infinity,
    gcTime: 60_000,
  });

/** A page of a scan, as a data URL. */
export const scanPageQuery = (slug: DocumentScope, documentId: string, page: number) =>
  queryOptions({
    queryKey: originalKeys.page(slug, documentId, page),
    queryFn: async ({ signal }) =>
      dataUrlOf(await new OriginalFile(slug, documentId, signal).readPage(page), "image/webp"),
    retry: false,
    staleTime: Infinity,
    gcTime: 60_000,
  });

/** The whole transcript, which the server returns in ranges. */
export const transcriptQuery = (slug: DocumentScope, documentId: string) =>
  queryOptions({
    queryKey: originalKeys.transcript(slug, documentId),
    queryFn: async ({ signal }) => {
      let text = "";
      for (let length = 1; text.length < length;) {
        const range = { documentId, start: text.length, end: 2_000_000_000 };
        const next = await readText(slug, range, signal);
        if (next.text === "") break;
        text += next.text;
        length = next.length;
      }
      return text;
    },
    staleTime: Infinity,
  });

/** A recording's signed address; refetched once it has expired. */
export const recordingAddressQuery = (slug: DocumentScope, documentId: string) =>
  queryOptions({
    queryKey: originalKeys.recording(slug, documentId),
    queryFn: ({ signal }) => addressOfOriginal(slug, documentId, signal),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });

/** Larger originals are shown as text. */
const mostBytes = 40_000_000;
/** After this long, the plain text is shown instead. */
const mostMilliseconds = 10_000;

/** null: the file can't be converted. */
function convert(request: ConversionRequest, signal: AbortSignal): Promise<Converted | null> {
  const worker = new Worker(new URL("../worker/convert.worker.ts", import.meta.url), {
    type: "module",
  });
  let timer: ReturnType<typeof setTimeout>;
  return new Promise<Converted | null>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    timer = setTimeout(() => resolve(null), mostMilliseconds);
    worker.onerror = () => resolve(null);
    worker.onmessage = ({ data }: MessageEvent<Converted | null>) => resolve(data);
    worker.postMessage(request, [request.bytes]);
  }).finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}

/** A document's original, converted in a worker; null if it can't be. */
export const convertedQuery = (
  slug: DocumentScope,
  documentId: string,
  { mime, encoding }: { mime: string; encoding?: string | undefined },
) =>
  queryOptions({
    queryKey: originalKeys.converted(slug, documentId, encoding),
    queryFn: async ({ signal }) => {
      const file = new OriginalFile(slug, documentId, signal);
      const first = await file.read(0, rangeBytes);
      if (first.total > mostBytes) return null;
      const bytes = first.whole ? first.bytes.buffer : await file.readAll();
      return convert({ bytes, mime: mime.split(";")[0]!.trim(), encoding }, signal);
    },
    retry: false,
    staleTime: Infinity,
    gcTime: 60_000,
  });
