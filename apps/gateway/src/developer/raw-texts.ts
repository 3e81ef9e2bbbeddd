import { Readable } from "node:stream";
import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  clipText,
  registerDocument,
  type In,
  type Out,
  type Scope,
  type uploadDeveloperText,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, putContent, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";

/** Maps a raw text's metadata to the wire's fields (wire-contract 6.2). */
export function describeText({
  title,
  url,
  docAuthor,
  description,
  docSource,
  chunkSource,
  published,
}: Partial<NonNullable<In<typeof uploadDeveloperText>["metadata"]>> & { title: string }): In<
  typeof registerDocument
>["metadata"] & { title: string } {
  const words = title
    .normalize("NFC")
    .trim()
    .replace(/[^\p{L}\p{M}\p{N}._~-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  const name = `${clipText(words, 200) || "text"}.txt`;
  const moment =
    published === null || published === undefined || published === ""
      ? Number.NaN
      : Number(published);
  const date = new Date(Number.isNaN(moment) ? Date.now() : moment);
  return {
    title: name,
    url: isWebAddress(url) ? `web://${url.toLowerCase()}.website` : `file://${name}`,
    docAuthor: docAuthor ?? "no author specified",
    description: description ?? "no description found",
    docSource: docSource ?? "no source set",
    chunkSource: chunkSource ?? name,
    published: (Number.isNaN(date.getTime()) ? new Date() : date).toLocaleString("en-US"),
  };
}

const isWebAddress = (url: string | undefined): url is string =>
  url !== undefined && URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);

type RawText = Pick<In<typeof uploadDeveloperText>, "textContent" | "metadata">;

/** Documents created from texts that programs send (wire-contract 9.3 and 10). */
@Injectable()
export class RawTexts {
  constructor(
    private readonly requests: RequestClient,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  /**
   * Stores the text; returns a function that registers it, in the workspace in scope if there is
   * one.
   */
  async store(
    { textContent, metadata }: RawText,
    scope: Scope,
    idempotencyKey: string,
  ): Promise<() => Promise<Out<typeof registerDocument>>> {
    if (!metadata?.title?.trim()) throw new CarrelError("document.title-missing");
    if (!textContent?.trim()) throw new CarrelError("document.text-missing");
    const { key, sha256, bytes } = await putContent(
      this.blobs,
      Readable.from(inPieces(Buffer.from(textContent))),
      this.config.CARREL_MAX_UPLOAD,
    );
    const described = describeText({ ...metadata, title: metadata.title });
    return () =>
      this.requests.request(
        registerDocument,
        {
          blobKey: key,
          sha256,
          bytes,
          filename: described.title,
          mime: "text/plain",
          embed: scope.workspace !== null,
          prefix: "raw-",
          isUpload: true,
          metadata: described,
        },
        { scope, idempotencyKey },
      );
  }
}

/** Large texts in parts, because hashing one at once would hold up other requests. */
export function* inPieces(text: Buffer, bytes = 1024 * 1024): Generator<Buffer> {
  for (let at = 0; at < text.length; at += bytes) yield text.subarray(at, at + bytes);
}
