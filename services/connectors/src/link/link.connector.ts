import { CarrelError } from "@carrel/contracts";
import { EgressError, type ContentResponse } from "@carrel/egress";
import { z } from "zod";
import type { Connector, FetchContext } from "../connector/connector.ts";
import { buildLinkFilename, readLink, toUtf8 } from "./link-document.ts";
import { chooseHeaders } from "./request-headers.ts";

const accept = "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5";

const settings = z.object({
  /** As typed by a user. */
  link: z.string(),
  /** Sent with the request; reserved ones are dropped. */
  headers: z.record(z.string(), z.string()),
});

/** The address of the page. */
const item = z.url();

/** A web page or file behind an address: a source with exactly one item. */
export const linkConnector: Connector<typeof settings, typeof item> = {
  id: "link",
  settings,
  item,

  async *listItems({ link }) {
    const address = readLink(link);
    if (address === null) throw new CarrelError("link.invalid");
    yield address;
  },

  async fetchItem(url, { headers }, context) {
    const page = await fetchPage(url, chooseHeaders(headers), context);
    const filename = buildLinkFilename(url, page.mime);
    return {
      body: toUtf8(page.body, page.headers.get("content-type")),
      filename,
      mime: page.mime,
      source: { kind: "link", url },
      metadata: {
        title: filename,
        url: `file://${filename}`,
        docAuthor: "no author found",
        description: "No description found.",
        docSource: "URL link uploaded by the user.",
      },
    };
  },
};

async function fetchPage(
  link: string,
  headers: Record<string, string>,
  { content, signal }: FetchContext,
): Promise<ContentResponse> {
  const nothing = (cause?: unknown): CarrelError =>
    new CarrelError("link.unreachable", { link: String(link) }, { cause });
  let page: ContentResponse;
  try {
    page = await content.fetch(link, { signal, headers: { ...headers, accept } });
  } catch (fault) {
    if (!(fault instanceof EgressError)) throw fault;
    if (fault.reason === "refused")
      throw new CarrelError("link.refused", { reason: fault.fault }, { cause: fault });
    if (fault.reason === "bad-url") throw new CarrelError("link.invalid", {}, { cause: fault });
    throw fault.reason === "too-large" ? new CarrelError("link.too-large") : nothing(fault);
  }
  if (page.status < 200 || page.status > 299 || page.body.toString("latin1").trim() === "")
    throw nothing();
  return page;
}
