import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { CarrelError, type ErrorCode } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { BLOB_STORE, BlobMissingError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";

const doubtful: ReadonlySet<ErrorCode> = new Set(["TIMEOUT", "SERVICE_LOST", "UNAVAILABLE"]);
/** Whatever a picture holds, a browser that opens it by itself draws it and nothing else. */
export const pictureHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": `sandbox; default-src 'none'`,
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Pictures under keys of their own, `picture/<uuid>`; which one counts is a column of the service
 * that owns it.
 */
@Injectable()
export class PictureStore {
  constructor(
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Keeps a picture; `choose` writes its key into the row and gives the key that is free then. A
   * row that cannot be written leaves no blob.
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
      // Without an answer the row may name it all the same.
      if (!(error instanceof CarrelError && doubtful.has(error.code))) await this.discard(key);
      throw error;
    }
  }

  /** A blob that stays is only space: the row does not name it any more. */
  async discard(key: string | null): Promise<void> {
    if (key === null || !key.startsWith("picture/")) return;
    await this.blobs
      .delete(key)
      .catch((error: unknown) =>
        this.logger.warn(
          { err: error, key },
          "a picture that nobody shows any more could not be deleted",
        ),
      );
  }

  /** Answers with the picture, or with 204 where its file is missing. */
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
