import { CarrelError, clipText } from "@carrel/contracts";
import { isStorageFull } from "@carrel/messaging";
import {
  BlobStoreUnreachableError,
  TooLargeError,
  putContent,
  type BlobStore,
} from "@carrel/storage";
import type { MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { makeStorable } from "../http/input.ts";
import { cleanFileName } from "./path-parts.ts";

/** A file stored in the blob store, with the fields sent along. */
export interface Upload {
  key: string;
  sha256: string;
  bytes: number;
  filename: string;
  mime: string | null;
  /** As sent; ingest converts it to a safe folder path. */
  folder: string | undefined;
  metadata: z.output<typeof metadataField>;
  /** Comma-separated slugs. */
  addToWorkspaces: string | undefined;
  /** As sent; existing clients send the word `null`. */
  threadSlug: string | undefined;
}

const metadataText = z
  .string()
  .max(2_000)
  .nullish()
  .transform((value) => value ?? undefined);
const metadataField = z.object({
  title: metadataText,
  docAuthor: metadataText,
  description: metadataText,
  docSource: metadataText,
  chunkSource: metadataText,
  url: metadataText,
});
const longestField = 100_000;

const tooLarge = (limit: number): CarrelError =>
  new CarrelError("upload.too-large", { megabytes: Math.floor(limit / 1_000_000) });

/**
 * Streams the multipart field `file` into the blob store; the file is never held in memory as a
 * whole, and a broken upload leaves nothing behind.
 */
export async function receiveUpload(
  request: FastifyRequest,
  store: BlobStore,
  limit: number,
): Promise<Upload> {
  if (!request.isMultipart()) throw new CarrelError("upload.not-multipart");
  // The allowance covers the headers of the parts.
  if (Number(request.headers["content-length"] ?? 0) > limit + 1_000_000) {
    request.raw.resume();
    throw tooLarge(limit);
  }
  let stored: Pick<Upload, "key" | "sha256" | "bytes" | "filename" | "mime"> | null = null;
  const fields = new Map<string, string>();
  try {
    for await (const part of request.parts({
      limits: { files: 1, fields: 20, fieldSize: longestField, fileSize: limit + 1, parts: 25 },
    })) {
      if (part.type === "file") stored = await receiveFile(part, store, limit);
      else {
        // wire-contract 9.3: a repeated field is a list, not text.
        if (part.fieldname === "addToWorkspaces" && fields.has(part.fieldname))
          throw new CarrelError("upload.slugs-invalid");
        fields.set(part.fieldname, makeStorable(String((part as MultipartValue).value)) as string);
      }
    }
  } catch (error) {
    // Discards what the client is still sending, so that it sees the response.
    request.raw.unpipe();
    request.raw.resume();
    if (error instanceof CarrelError) throw error;
    if (error instanceof TooLargeError) throw tooLarge(limit);
    if (isStorageFull(error)) throw new CarrelError("request.storage-full", {}, { cause: error });
    if (error instanceof BlobStoreUnreachableError)
      throw new CarrelError("upload.storage-unreachable", { store: error.store }, { cause: error });
    const details = error instanceof Error ? error.message : "The body is broken.";
    throw new CarrelError("upload.broken", { details }, { cause: error });
  }
  if (stored === null) throw new CarrelError("upload.file-missing");
  const folderName = fields.get("folderName");
  return {
    ...stored,
    folder:
      folderName === undefined || folderName.trim() === ""
        ? undefined
        : clipText(folderName, 2_000),
    metadata: readMetadata(fields.get("metadata")),
    threadSlug: fields.get("threadSlug"),
    addToWorkspaces: fields.get("addToWorkspaces"),
  };
}

async function receiveFile(
  part: MultipartFile,
  store: BlobStore,
  limit: number,
): Promise<Pick<Upload, "key" | "sha256" | "bytes" | "filename" | "mime">> {
  if (part.fieldname !== "file") {
    part.file.resume();
    throw new CarrelError("upload.field-unexpected", { field: clipText(part.fieldname, 40) });
  }
  const { key, sha256, bytes } = await putContent(store, part.file, limit);
  const mime =
    part.mimetype === "" || part.mimetype === "application/octet-stream"
      ? null
      : clipText(makeStorable(part.mimetype) as string, 255);
  return { key, sha256, bytes, filename: cleanFileName(part.filename), mime };
}

function readMetadata(text: string | undefined): Upload["metadata"] {
  if (text === undefined || text.trim() === "") return metadataField.parse({});
  try {
    return metadataField.parse(makeStorable(JSON.parse(text)));
  } catch (error) {
    throw new CarrelError("upload.metadata-invalid", {}, { cause: error });
  }
}
