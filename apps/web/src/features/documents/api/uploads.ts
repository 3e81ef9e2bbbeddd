import { uploadLink } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { toast } from "../../../lib/toast.ts";
import { startTrace } from "../../../lib/trace.ts";
import { refreshDocumentLists } from "../state/refresh.ts";

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
