import {
  CarrelError,
  fetchLink,
  registerDocument,
  writeChunkSource,
  type In,
  type Out,
} from "@carrel/contracts";
import {
  createContentClient,
  EgressError,
  type ContentClient,
  type ContentResponse,
} from "@carrel/egress";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { openBlobStore, putContent, TooLargeError, type BlobStore } from "@carrel/storage";
import { Controller, Inject } from "@nestjs/common";
import { Readable } from "node:stream";
import type { ConnectorsConfig } from "../connectors.config.ts";
import { buildLinkFilename, readLink, toUtf8 } from "./link-document.ts";

const tooLarge = (): CarrelError =>
  new CarrelError("TOO_LARGE", "What the address holds is too large.");

/**
 * Headers that callers can't set, because they concern the connection or the form of the response.
 */
const ownHeaders =
  /^(host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept|accept-encoding|range|via|proxy-.*|sec-.*)$/i;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** Filters the requested headers, dropping invalid and reserved ones. */
export const chooseHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, 50)
      .filter(
        ([name, value]) =>
          headerName.test(name) &&
          !ownHeaders.test(name) &&
          /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
      )
      .map(([name, value]) => [name.toLowerCase(), value]),
  );

@Controller()
export class LinkHandler {
  private readonly content: ContentClient;
  private readonly blobs: BlobStore;

  constructor(
    @Inject(CONFIG) private readonly config: ConnectorsConfig,
    private readonly client: RequestClient,
  ) {
    this.content = createContentClient({
      allow: config.CARREL_LINK_ALLOW,
      maxBytes: config.CARREL_LINK_MAX_BYTES,
    });
    this.blobs = openBlobStore(config);
  }

  /**
   * Fetches a web page, stores it as the original and registers it as a document; ingest extracts
   * the text in a job.
   */
  @Handle(fetchLink)
  async fetch(
    input: In<typeof fetchLink>,
    context: RequestContext,
  ): Promise<Out<typeof fetchLink>> {
    const link = readLink(input.link);
    if (link === null) throw new CarrelError("BAD_INPUT", "Not a valid URL.");
    const page = await this.get(link, chooseHeaders(input.headers), context.signal);
    const body = toUtf8(page.body, page.headers.get("content-type"));
    const stored = await putContent(
      this.blobs,
      Readable.from([body]),
      this.config.CARREL_MAX_UPLOAD,
    ).catch((fault: unknown) => {
      throw fault instanceof TooLargeError ? tooLarge() : fault;
    });
    const filename = buildLinkFilename(link, page.mime);
    return this.client.request(
      registerDocument,
      {
        blobKey: stored.key,
        sha256: stored.sha256,
        bytes: stored.bytes,
        filename,
        mime: page.mime,
        embed: input.embed,
        metadata: {
          title: filename,
          url: `file://${filename}`,
          docAuthor: "no author found",
          description: "No description found.",
          docSource: "URL link uploaded by the user.",
          chunkSource: writeChunkSource({ kind: "link", url: link }),
          ...input.metadata,
        },
      },
      { scope: context.scope, deadline: context.deadline },
    );
  }

  private async get(
    link: string,
    given: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ContentResponse> {
    const nothing = (cause?: unknown): CarrelError =>
      new CarrelError("LINK_UNREACHABLE", `No URL content found at ${link}.`, { cause });
    let page: ContentResponse;
    try {
      page = await this.content.fetch(link, {
        signal,
        headers: {
          ...given,
          accept: "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5",
        },
      });
    } catch (fault) {
      if (!(fault instanceof EgressError)) throw fault;
      if (fault.reason === "refused")
        throw new CarrelError("LINK_REFUSED", fault.message, { cause: fault });
      if (fault.reason === "bad-url")
        throw new CarrelError("BAD_INPUT", "Not a valid URL.", { cause: fault });
      throw fault.reason === "too-large" ? tooLarge() : nothing(fault);
    }
    if (page.status < 200 || page.status > 299 || page.body.toString("latin1").trim() === "")
      throw nothing();
    return page;
  }
}
