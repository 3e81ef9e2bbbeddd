import { queryOptions } from "@tanstack/react-query";
import { readText, type DocumentScope } from "./document-text.ts";
import { addressOfOriginal, originalKeys } from "./original-file.ts";

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
