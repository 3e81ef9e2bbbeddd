import { deleteParsedFiles, embedParsedFile, listParsedFiles, parseFile } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { addressOf } from "../../../lib/address.ts";
import { call } from "../../../lib/api.ts";
import { optimistic, queryClient } from "../../../lib/query-client.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import { sendFile } from "../../../lib/send-file.ts";
import { toast } from "../../../lib/toast.ts";
import type { ThreadAddress } from "../state/generations.ts";

const parsedFileKeys = {
  inThread: (slug: string, threadSlug: string | null) => ["parsed-files", slug, threadSlug],
} as const;

/**
 * Files that answers in this thread read in full, and how much of the model's context window they
 * take.
 */
export const parsedFilesQuery = (slug: string, threadSlug: string | null) =>
  queryOptions({
    queryKey: parsedFileKeys.inThread(slug, threadSlug),
    queryFn: ({ signal }) =>
      call(listParsedFiles, { slug, ...(threadSlug ? { threadSlug } : {}) }, { signal }),
  });
/**
 * Parses a file into the thread; resolves when that is done. Throws with the reason if it fails.
 */
export async function parseIntoThread(
  slug: string,
  threadSlug: string | null,
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<void> {
  await sendFile(addressOf(parseFile, { slug }).url, file, {
    fields: { threadSlug: threadSlug ?? "null" },
    onProgress,
    signal,
  });
  await queryClient.invalidateQueries({ queryKey: parsedFileKeys.inThread(slug, threadSlug) });
}

export const useRemoveParsedFile = ({ slug, threadSlug }: ThreadAddress) =>
  useMutation({
    mutationFn: (id: number) => call(deleteParsedFiles, { slug, fileIds: [id] }),
    ...optimistic(parsedFilesQuery(slug, threadSlug).queryKey, (reply, id: number) => ({
      ...reply,
      files: reply.files.filter((file) => file.id !== id),
    })),
    meta: { invalidates: [parsedFileKeys.inThread(slug, threadSlug)] },
  });

/** Turns files into documents of the workspace, which are searched rather than read in full. */
export const useEmbedParsedFiles = ({ slug, threadSlug }: ThreadAddress) =>
  useMutation({
    mutationFn: async (ids: number[]): Promise<void> => {
      for (const fileId of ids) await call(embedParsedFile, { slug, fileId });
    },
    onSuccess: (_data, ids) => toast.success(i18next.t("chat:embedded", { count: ids.length })),
    meta: {
      invalidates: [
        parsedFileKeys.inThread(slug, threadSlug),
        documentKeys.inWorkspace(slug),
        documentKeys.counts,
      ],
    },
  });
