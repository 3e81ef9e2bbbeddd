import { buffer } from "node:stream/consumers";
import { acceptedKeys, type ProcessConfig } from "@carrel/config";
import { CarrelError, downloadOriginal, showOriginalPage } from "@carrel/contracts";
import { encodeScanPage } from "@carrel/picture";
import { CONFIG } from "@carrel/runtime";
import {
  BLOB_STORE,
  BlobMissingError,
  LinkTokens,
  type BlobLink,
  type BlobStore,
} from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { setFault } from "../http/fault-header.ts";
import { Route, type Call } from "../http/route.ts";

/**
 * Types sent as Content-Type; everything else is sent as binary data. Even these are only
 * downloaded or rendered by Carrel's viewer.
 */
const servedTypes = new Set([
  "application/pdf",
  "text/plain",
  "text/csv",
  "application/json",
  "image/png",
  "image/jpeg",
  "image/webp",
  "audio/aac",
  "audio/flac",
  "audio/mp4",
  "audio/mpeg",
  "audio/ogg",
  "audio/wav",
  "audio/webm",
  "audio/x-m4a",
  "video/matroska",
  "video/mp4",
  "video/mpeg",
  "video/ogg",
  "video/quicktime",
  "video/webm",
]);
const privately = {
  "content-security-policy": `sandbox; default-src 'none'`,
  "cache-control": "private, no-store",
  "cross-origin-resource-policy": "same-origin",
};
const gone = (): CarrelError => new CarrelError("document.address-expired");

@Injectable()
export class OriginalRoutes {
  private readonly links: LinkTokens;

  constructor(
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CONFIG) config: ProcessConfig,
  ) {
    this.links = new LinkTokens(...acceptedKeys(config, "links"));
  }

  /**
   * Serves the original behind a signed URL, in full or one range of it (pdf.js and
   * players request ranges).
   */
  @Route(downloadOriginal)
  async download({ input, request, reply }: Call<typeof downloadOriginal>): Promise<FastifyReply> {
    const { link, stat } = await this.find(input.token);
    const range = readRange(request.headers.range, stat.bytes);
    reply.headers({
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(link.filename).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)}`,
      ...privately,
      "accept-ranges": "bytes",
    });
    if (range === "impossible") {
      setFault(reply, { code: "request.range-impossible" });
      return reply.code(416).header("content-range", `bytes */${stat.bytes}`).send();
    }
    try {
      const { body } = await this.blobs.get(link.key, range ?? undefined);
      if (range !== null)
        reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${stat.bytes}`);
      return await reply
        .type(servedTypes.has(link.mime) ? link.mime : "application/octet-stream")
        .header("content-length", range === null ? stat.bytes : range.end - range.start + 1)
        .send(body);
    } catch (error) {
      if (error instanceof BlobMissingError) throw gone();
      throw error;
    }
  }
  /** Serves a page of the scan behind a signed URL, in a format that browsers can show. */
  @Route(showOriginalPage)
  async showPage({ input, reply }: Call<typeof showOriginalPage>): Promise<FastifyReply> {
    const { link, stat } = await this.find(input.token);
    const scan = { bytes: stat.bytes, read: () => this.readAll(link) };
    const page = await encodeScanPage(scan, input.page);
    return reply.headers(privately).type("image/webp").send(page);
  }

  private async find(token: string): Promise<{ link: BlobLink; stat: { bytes: number } }> {
    const link = this.links.read(token);
    const stat = link === null ? null : await this.blobs.stat(link.key);
    if (link === null || stat === null) throw gone();
    return { link, stat };
  }

  private async readAll({ key }: BlobLink): Promise<Buffer> {
    try {
      const { body } = await this.blobs.get(key);
      return await buffer(body);
    } catch (error) {
      if (error instanceof BlobMissingError) throw gone();
      throw error;
    }
  }
}

/** Both ends are inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the single range that a Range header requests out of `bytes` bytes. null: send the whole
 * file (no header, several ranges or another unit, which RFC 9110 allows a server to ignore);
 * 'impossible': 416.
 */
export function readRange(
  header: string | undefined,
  bytes: number,
): ByteRange | null | "impossible" {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null || (match[1] === "" && match[2] === "")) return null;
  if (match[1] === "") {
    const length = Number(match[2]);
    return length === 0 || bytes === 0
      ? "impossible"
      : { start: Math.max(0, bytes - length), end: bytes - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === "" ? bytes - 1 : Math.min(Number(match[2]), bytes - 1);
  if (start >= bytes) return "impossible";
  return start > end ? null : { start, end };
}
