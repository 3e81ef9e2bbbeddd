import type { SourceWire } from "@carrel/contracts";

/** A web page that an answer cites, and that isn't a document of the workspace. */
export interface WebPage {
  url: string;
  host: string;
}

/** null for documents, and for addresses that a browser must not open. */
export function webPageOf(
  source: Pick<SourceWire, "documentId" | "chunkSource"> | undefined,
): WebPage | null {
  const address = /^link:\/\/(https?:\/\/.+)$/i.exec(source?.chunkSource ?? "")?.[1];
  if (address === undefined || source?.documentId !== "") return null;
  try {
    const { href, host } = new URL(address);
    return { url: href, host };
  } catch {
    return null;
  }
}

/** Opens a cited web page in a new tab, which learns nothing of this one; false for documents. */
export function openWebPage(source: Parameters<typeof webPageOf>[0]): boolean {
  const page = webPageOf(source);
  if (page !== null) window.open(page.url, "_blank", "noopener,noreferrer");
  return page !== null;
}
