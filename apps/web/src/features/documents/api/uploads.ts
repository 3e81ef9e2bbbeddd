import { identicalHeader, uploadAndEmbed, uploadDocument, uploadLink } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { addressOf } from "../../../lib/address.ts";
import { call } from "../../../lib/api.ts";
import { sendFile } from "../../../lib/send-file.ts";
import { toast } from "../../../lib/toast.ts";
import { startTrace } from "../../../lib/trace.ts";
import { refreshDocumentLists } from "../state/refresh.ts";

/**
 * Uploads one file into a library folder (the root when empty) and, with `embed`, into the
 * workspace. `onProgress` gets the fraction of bytes sent, 0 to 1. With `wait` it resolves once the
 * document is parsed and searchable, otherwise as soon as the server has received the file. Sent
 * again with the same `key`, it stays one document. Unless `keepBoth` is set, a file that is already
 * there is refused (`upload.identical`).
 */
export function uploadFile(
  slug: string,
  file: File,
  {
    folder,
    embed,
    wait,
    key,
    keepBoth,
  }: { folder: string; embed: boolean; wait: boolean; key: string; keepBoth: boolean },
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<unknown> {
  return sendFile(addressOf(embed ? uploadAndEmbed : uploadDocument, { slug }).url, file, {
    fields: folder === "" ? {} : { folderName: folder },
    headers: {
      "Idempotency-Key": key,
      ...(keepBoth ? {} : { [identicalHeader]: "refuse" }),
      ...(wait ? {} : { Prefer: "respond-async" }),
    },
    onProgress,
    signal,
  });
}

/**
 * Fetches a web page into the library and, with `embed`, into the workspace.
 */
export async function fetchWebPage(
  slug: string,
  link: string,
  embed = true,
  signal?: AbortSignal,
): Promise<void> {
  const trace = startTrace();
  await call(uploadLink, { slug, link, embed }, signal ? { signal, trace } : { trace });
}

/** Fetches one web page that the user typed; the form shows what went wrong. */
export const useFetchWebPage = (slug: string) =>
  useMutation({
    mutationFn: ({ link, embed }: { link: string; embed: boolean }) =>
      fetchWebPage(slug, link, embed),
    onSuccess: () => toast.success(i18next.t("library:workspace.fetched")),
    onSettled: refreshDocumentLists,
    meta: { errorToast: false },
  });
