import { randomInt } from "node:crypto";
import { Readable } from "node:stream";
import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  deleteParsedFiles,
  registerParsedFile,
  type KeyQuestion,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { BLOB_STORE, TooLargeError, putContent, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { DocumentWait, unreadable } from "../document/document-wait.ts";
import { cleanFileName } from "../document/path-parts.ts";

type Attachment = NonNullable<KeyQuestion["attachments"]>[number];

const documentMime = "application/anythingllm-document";
export const isDocument = ({ mime }: Attachment): boolean => mime.trim() === documentMime;

/** No thread has such an ID, so files under one belong to a single question. */
const [lowestId, highestId] = [2 ** 30, 2 ** 31 - 1];

/** What a question needs to know about its documents. */
export interface AttachedFiles {
  /** ID under which the files are found; null if there are none. */
  filesOf: number | null;
  /** Deletes them; call it when the answer has ended. */
  release(): Promise<void>;
}

/** Documents attached to a question from an API client: read as files, for this question only. */
@Injectable()
export class AttachedDocuments {
  constructor(
    private readonly requests: RequestClient,
    private readonly wait: DocumentWait,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: InstanceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves once their texts have been read. Throws if one of them is unreadable. */
  async read(
    documents: readonly Attachment[],
    scope: WorkspaceScope,
    { key, signal }: { key: string; signal: AbortSignal },
  ): Promise<AttachedFiles> {
    if (documents.length === 0) return { filesOf: null, release: () => Promise.resolve() };
    const threadId = randomInt(lowestId, highestId);
    const fileIds: number[] = [];
    const release = async (): Promise<void> => {
      if (fileIds.length === 0) return;
      // Anything left behind is deleted once a day, with the files of missing threads.
      await this.requests
        .request(deleteParsedFiles, { slug: scope.workspace.slug, fileIds }, { scope })
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, "couldn't delete the files of a question"),
        );
    };
    try {
      const documentIds: string[] = [];
      for (const [index, document] of documents.entries()) {
        const registered = await this.register(document, threadId, scope, `${key}:${index}`);
        fileIds.push(registered.id);
        documentIds.push(registered.documentId);
      }
      const outcomes = await this.wait.forEnd(documentIds, { ...scope, workspace: null }, signal);
      const failed = outcomes.find(({ state }) => state === "failed");
      if (failed !== undefined) throw unreadable(failed.reason);
      return { filesOf: threadId, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  private async register(
    { name, contentString }: Attachment,
    threadId: number,
    scope: WorkspaceScope,
    idempotencyKey: string,
  ): Promise<{ id: number; documentId: string }> {
    const limit = this.config.CARREL_MAX_UPLOAD;
    const base64 = contentString.replace(/^data:[^,]{0,200},/i, "");
    try {
      const { key, sha256, bytes } = await putContent(
        this.blobs,
        Readable.from([Buffer.from(base64, "base64")]),
        limit,
      );
      return await this.requests.request(
        registerParsedFile,
        { threadId, blobKey: key, sha256, bytes, filename: cleanFileName(name), mime: null },
        { scope, idempotencyKey },
      );
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      throw new CarrelError("upload.too-large", { megabytes: Math.floor(limit / 1_000_000) });
    }
  }
}
