import { queryOptions } from "@tanstack/react-query";
import type { ConversionRequest, Converted } from "../worker/conversion.ts";
import type { DocumentScope } from "./document-text.ts";
import { OriginalFile, originalKeys, rangeBytes } from "./original-file.ts";

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
