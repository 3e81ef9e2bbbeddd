import type { ProcessConfig } from "@carrel/config";
import {
  embedParsedFile,
  findParsedFiles,
  findThreadId,
  getContextWindow,
  listParsedFiles,
  parseFile,
  parsedFileWire,
  promoteParsedFile,
  readWorkspaceDocuments,
  registerParsedFile,
  type Out,
  type Scope,
  type WorkspaceDocumentWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { readThreadSlug } from "../chat/read-question.ts";
import { requestKey } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";
import { DocumentWait, unreadable } from "./document-wait.ts";
import { receiveUpload } from "./upload.ts";

/** Files attached to a chat. */
@Injectable()
export class ParsedFileRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly wait: DocumentWait,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  /**
   * Responds once the file is parsed. The job is independent of the connection: after a disconnect
   * the file still appears in its thread.
   */
  @Route(parseFile)
  async parse({ request, scope, signal }: Call<typeof parseFile>): Promise<Out<typeof parseFile>> {
    const { key, sha256, bytes, filename, mime, threadSlug } = await receiveUpload(
      request,
      this.blobs,
      this.config.CARREL_MAX_UPLOAD,
    );
    const threadId = await this.findThread(scope, threadSlug);
    const file = { threadId, blobKey: key, sha256, bytes, filename, mime };
    const { id, documentId } = await this.requests.request(registerParsedFile, file, {
      scope,
      idempotencyKey: requestKey(request, file),
    });
    // Waits only until the text has been read, as in the library.
    await this.expectReadable(documentId, { ...scope, workspace: null }, signal);
    const { files } = await this.requests.request(
      findParsedFiles,
      { threadId, ids: [id] },
      { scope },
    );
    return { success: true, error: null, files: files.map((file) => parsedFileWire.parse(file)) };
  }

  @Route(listParsedFiles)
  async list({ input, scope }: Call<typeof listParsedFiles>): Promise<Out<typeof listParsedFiles>> {
    const threadId = await this.findThread(scope, input.threadSlug);
    const [{ files }, { contextWindow }] = await Promise.all([
      this.requests.request(findParsedFiles, { threadId }, { scope }),
      this.requests.request(getContextWindow, { threadId }, { scope }),
    ]);
    const read = files.filter((file) => file.state === "parsed");
    return {
      files: read.map(({ id, title, location, tokenCountEstimate }) => ({
        id,
        title,
        location,
        token_count_estimate: tokenCountEstimate,
      })),
      contextWindow,
      currentContextTokenCount: read.reduce((sum, file) => sum + file.tokenCountEstimate, 0),
    };
  }

  /** Responds once the document is searchable in the workspace. */
  @Route(embedParsedFile)
  async embed({
    input,
    scope,
    request,
    signal,
  }: Call<typeof embedParsedFile>): Promise<Out<typeof embedParsedFile>> {
    const { documentId } = await this.requests.request(
      promoteParsedFile,
      { id: input.fileId },
      { scope, idempotencyKey: requestKey(request) },
    );
    await this.expectReadable(documentId, scope, signal);
    const { items } = await this.requests.request(
      readWorkspaceDocuments,
      { documentIds: [documentId] },
      { scope },
    );
    const [document = null] = JSON.parse(`[${items}]`) as WorkspaceDocumentWire[];
    return { success: true, error: null, document };
  }

  private async findThread(scope: Scope, threadSlug: string | undefined): Promise<number> {
    return (
      await this.requests.request(
        findThreadId,
        { threadSlug: readThreadSlug(threadSlug) },
        { scope },
      )
    ).threadId;
  }

  private async expectReadable(
    documentId: string,
    scope: Scope,
    signal: AbortSignal,
  ): Promise<void> {
    const [outcome] = await this.wait.forEnd([documentId], scope, signal);
    if (outcome!.state === "failed") throw unreadable(outcome!.reason);
  }
}
