import { queryOptions } from "@tanstack/react-query";
import { dataUrlOf } from "../state/data-url.ts";
import type { DocumentScope } from "./document-text.ts";
import { OriginalFile, originalKeys } from "./original-file.ts";

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
