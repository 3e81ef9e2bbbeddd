import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { CarrelError, type ErrorKind } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { BLOB_STORE, BlobMissingError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";

const doubtful: ReadonlySet<ErrorKind> = new Set(["TIMEOUT", "SERVICE_LOST", "UNAVAILABLE"]);
/** Whatever a picture contains, a browser that opens it directly will only render it. */
export const pictureHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": `sandbox; default-src 'none'`,
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Pictures stored under `picture/<uuid>`; a column of the owning service's row says which one is
 * current.
 */
@Injectable()
export class PictureStore {
  constructor(
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores a picture; `choose` writes its key into the row and returns the key that is no longer
   * used. If the row can't be written, the blob is deleted.
   */
  async replace(
    picture: Buffer,
    choose: (key: string) => Promise<{ previous: string | null }>,
  ): Promise<void> {
    const key = `picture/${randomUUID()}`;
    await this.blobs.put(key, Readable.from([picture]));
    try {
      await this.discard((await choose(key)).previous);
    } catch (error) {
      // If there was no reply, the row may still refer to it.
      if (!(error instanceof CarrelError && doubtful.has(error.kind))) await this.discard(key);
      throw error;
    }
  }

  /** A blob left behind only wastes space: no row refers to it any more. */
  async discard(key: string | null): Promise<void> {
    if (key === null || !key.startsWith("picture/")) return;
    await this.blobs
      .delete(key)
      .catch((error: unknown) =>
        this.logger.warn({ err: error, key }, "couldn't delete an unused picture"),
      );
  }

  /** Sends the picture, or 204 if its file is missing. */
  async send(
    reply: FastifyReply,
    key: string,
    headers: Record<string, string> = {},
  ): Promise<FastifyReply> {
    try {
      const { body, bytes } = await this.blobs.get(key);
      return await reply
        .headers({ ...pictureHeaders, ...headers, "content-length": String(bytes) })
        .type("image/webp")
        .send(body);
    } catch (error) {
      if (error instanceof BlobMissingError) return reply.code(204).send();
      throw error;
    }
  }
}
