import { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import { EgressError, type ContentResponse } from "@carrel/egress";
import { z } from "zod";
import {
  defineConnector,
  type Fetched,
  type Source,
  type SourceContext,
} from "../../connector/connector.ts";
import { throwStatus } from "../../connector/source-fault.ts";
import { noValidators, readConditions, writeValidators } from "../../connector/validators.ts";
import { acceptPages, buildLinkFilename, readLink, toUtf8 } from "../../connector/web-page.ts";

/**
 * Headers that callers can't set, because they concern the connection or the form of the response.
 */
const reserved =
  /^(host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept|accept-encoding|range|via|proxy-.*|sec-.*)$/i;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const maxHeaders = 50;

/** Filters the requested headers, dropping invalid and reserved ones. */
export const chooseHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, maxHeaders)
      .filter(
        ([name, value]) => headerName.test(name) && !reserved.test(name) && headerValue.test(value),
      )
      .map(([name, value]) => [name.toLowerCase(), value]),
  );

const settings = z.object({
  /** The address as typed by a user. */
  link: z.string(),
});

/** Headers sent with the request; reserved ones are dropped. */
const credential = z.record(z.string(), z.string());

/** The address of the page. */
const item = z.url();

/** Throws `link.invalid`. */
function addressOf({ link }: z.output<typeof settings>): string {
  const address = readLink(link);
  if (address === null) throw new CarrelError("link.invalid");
  return address;
}

/** A web page or file behind an address: a source with exactly one item. */
export const connector = defineConnector({
  id: "link",
  form: null,
  settings,
  credential,
  item,
  nameOf: addressOf,
  originOf: (chosen) => new URL(addressOf(chosen)).origin,

  open(chosen, headers, context) {
    const address = addressOf(chosen);
    return Promise.resolve<Source<string>>({
      limits: { parallel: 1, maxDocuments: 1, maxItems: 1 },
      check: async () => void (await fetchPage(address, chooseHeaders(headers), null, context)),
      list: () =>
        Promise.resolve({
          items: [{ externalId: address, item: address, title: address, address }],
          next: null,
        }),
      fetch: (url, version) => fetchLink(url, chooseHeaders(headers), version, context),
    });
  },
});

async function fetchLink(
  url: string,
  headers: Record<string, string>,
  version: string | null,
  context: SourceContext,
): Promise<Fetched<string>> {
  const page = await fetchPage(url, headers, version, context);
  if (page.status === 304) return { kind: "unchanged" };
  const filename = buildLinkFilename(url, page.mime);
  return {
    kind: "document",
    body: Readable.from([toUtf8(page.body, page.headers.get("content-type"))]),
    filename,
    mime: page.mime,
    source: { kind: "link", url },
    version: writeValidators(page.headers) ?? noValidators,
    metadata: {
      title: filename,
      url: `file://${filename}`,
      docAuthor: "no author found",
      description: "No description found.",
      docSource: "URL link uploaded by the user.",
    },
  };
}

/**
 * `version`: of the document it is already; null if it is fetched for the first time, when every
 * failure is an unreachable link to whoever waits for it.
 */
async function fetchPage(
  link: string,
  headers: Record<string, string>,
  version: string | null,
  { content, signal }: SourceContext,
): Promise<ContentResponse> {
  const nothing = (cause?: unknown): CarrelError =>
    new CarrelError("link.unreachable", { link: String(link) }, { cause });
  let page: ContentResponse;
  try {
    page = await content.fetch(link, {
      signal,
      headers: { ...headers, ...readConditions(version), accept: acceptPages },
    });
  } catch (fault) {
    if (!(fault instanceof EgressError)) throw fault;
    if (fault.reason === "refused")
      throw new CarrelError("link.refused", { reason: fault.fault }, { cause: fault });
    if (fault.reason === "bad-url") throw new CarrelError("link.invalid", {}, { cause: fault });
    throw fault.reason === "too-large" ? new CarrelError("link.too-large") : nothing(fault);
  }
  if (version !== null && page.status === 304) return page;
  const isFine = page.status >= 200 && page.status <= 299;
  if (!isFine && version !== null) throwStatus(page);
  if (!isFine || page.body.toString("latin1").trim() === "") throw nothing();
  return page;
}
