import { exportChat } from "@carrel/contracts";
import { addressOf } from "../../../lib/address.ts";
import { authorization, failureOf, watchStatus } from "../../../lib/api.ts";
import { saveFile } from "../../../lib/download.ts";

export type ExportType = "markdown" | "json" | "html";
const endings: Record<ExportType, string> = { markdown: "md", json: "json", html: "html" };

/** The file name in the reply; `filename*` takes precedence (RFC 6266). */
function nameOf(disposition: string | null): string | null {
  const exact = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  try {
    if (exact) return decodeURIComponent(exact);
  } catch {
    // Malformed encoding: fall back to the plain name.
  }
  return /filename="([^"]+)"/i.exec(disposition ?? "")?.[1] ?? null;
}

/** Downloads the thread as a file. */
export async function saveThread(
  slug: string,
  threadSlug: string | null,
  title: string,
  type: ExportType,
): Promise<void> {
  const { url } = addressOf(exportChat, { type });
  const response = watchStatus(
    await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...authorization() },
      body: JSON.stringify({ workspaceSlug: slug, threadSlug }),
    }),
  );
  if (!response.ok) throw await failureOf(response);
  await saveFile(
    response,
    nameOf(response.headers.get("content-disposition")) ??
      `${title.replace(/[\\/:*?"<>|]+/g, " ").trim() || "thread"}.${endings[type]}`,
  );
}
