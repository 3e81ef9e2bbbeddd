import { BLOB_STORE, BlobMissingError, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import type { Document } from "../document/document.entity.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";

@Injectable()
export class OriginalReader {
  constructor(@Inject(BLOB_STORE) private readonly blobs: BlobStore) {}

  /**
   * Reads the original into a dedicated buffer that can be transferred to a worker thread. Throws
   * UnreadableError if the original is gone.
   */
  async read({ blobKey }: Pick<Document, "blobKey">): Promise<Uint8Array> {
    if (blobKey === null) throw gone();
    try {
      const { body, bytes } = await this.blobs.get(blobKey);
      const all = new Uint8Array(bytes);
      let at = 0;
      for await (const piece of body as AsyncIterable<Buffer>) {
        all.set(piece, at);
        at += piece.length;
      }
      return all;
    } catch (fault) {
      throw fault instanceof BlobMissingError ? gone(fault) : fault;
    }
  }
}

const gone = (cause?: unknown): UnreadableError =>
  new UnreadableError({ code: "file.original-gone" }, { cause });
