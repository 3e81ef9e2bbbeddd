import {
  listAcceptedTypes,
  removeWorkspaceDocument,
  retryDocument,
  uploadAndEmbed,
  uploadDocument,
  uploadLink,
  type WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { addressOf, call } from "../../../lib/api.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import { sendFile } from "../../../lib/send-file.ts";

export const acceptedTypesQuery = queryOptions({
  queryKey: documentKeys.acceptedTypes,
  queryFn: ({ signal }) => call(listAcceptedTypes, {}, { signal }),
  select: (reply) => Object.values(reply.types).flat(),
  staleTime: Infinity,
});

/**
 * Uploads one file into a library folder (the root when empty) and, with `embed`, into the
 * workspace. `onProgress` gets the fraction of bytes sent, 0 to 1. With `wait` it resolves once the
 * document is parsed and searchable, otherwise as soon as the server has received the file.
 */
export function uploadFile(
  slug: string,
  file: File,
  { folder, embed, wait }: { folder: string; embed: boolean; wait: boolean },
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<unknown> {
  return sendFile(addressOf(embed ? uploadAndEmbed : uploadDocument, { slug }).url, file, {
    fields: folder === "" ? {} : { folderName: folder },
    headers: wait ? {} : { Prefer: "respond-async" },
    onProgress,
    signal,
  });
}

/**
 * Fetches a web page into the library and, with `embed`, into the workspace. Throws the server's
 * message when it refuses.
 */
export async function fetchPage(
  slug: string,
  link: string,
  embed = true,
  signal?: AbortSignal,
): Promise<void> {
  const reply = await call(uploadLink, { slug, link, embed }, signal ? { signal } : {});
  if (!reply.success) throw new Error(reply.error ?? "");
}

export const tryAgain = (slug: string, document: WorkspaceDocumentStatus): Promise<unknown> =>
  call(retryDocument, { slug, documentId: document.documentId });
export const takeOut = (slug: string, document: WorkspaceDocumentStatus): Promise<unknown> =>
  call(removeWorkspaceDocument, { slug, documentId: document.documentId });
