import {
  CarrelError,
  getDocumentStates,
  getProcessorStatus,
  listAcceptedTypes as listAccepted,
  readChunkSource,
  registerDocument,
  removeAndUnembed,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, keyed, Outbox, type RequestContext } from "@carrel/messaging";
import { BLOB_STORE, type BlobStore } from "@carrel/storage";
import { Controller, Inject } from "@nestjs/common";
import { randomUUID } from "node:crypto";
import { DataSource } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { LibraryNotice } from "../document/library-notice.ts";
import { listAcceptedTypes } from "../parsing/accepted-types.ts";
import { Transcriber } from "../transcription/transcriber.ts";
import { stateOf } from "../document/workspace-document.mapper.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { buildDocpath, cleanFilename, cleanFolder } from "../document/docpath.ts";
import { kindOf } from "../document/document-kind.ts";
import { DocumentRemover } from "../document/document-remover.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { IntakeLimit } from "./intake-limit.ts";
import { SheetDocuments } from "./sheet-documents.ts";
import { parseJob } from "../document/document-jobs.ts";

const notFound = (): CarrelError =>
  new CarrelError("DOCUMENT_NOT_FOUND", "Document does not exist.");

@Controller()
export class DocumentHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    private readonly sweeper: BlobSweeper,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly remover: DocumentRemover,
    private readonly transcriber: Transcriber,
    private readonly sheets: SheetDocuments,
    private readonly notice: LibraryNotice,
    private readonly limit: IntakeLimit,
  ) {}

  @Handle(registerDocument)
  async register(
    input: In<typeof registerDocument>,
    context: RequestContext,
  ): Promise<Out<typeof registerDocument>> {
    if (input.blobKey !== `original/${input.sha256}`)
      throw new CarrelError("BAD_INPUT", "The original is not stored under its content.");
    const { scope } = context;
    return keyed(this.dataSource, context, async (manager) => {
      if (scope.workspace && input.embed)
        await this.workspaceDocuments.holdWorkspace(scope as WorkspaceScope, manager);
      await this.sweeper.hold(manager, input.blobKey);
      if (!(await this.blobs.stat(input.blobKey)))
        throw new CarrelError(
          "CONFLICT",
          "The uploaded bytes were lost before the document was made. Upload it again.",
          { isRetryable: true },
        );
      await this.limit.admit(scope, manager);
      const id = randomUUID();
      const filename = cleanFilename(input.filename);
      const folder = cleanFolder(input.folder);
      const chunkSource = input.metadata.chunkSource ?? "";
      const source = readChunkSource(chunkSource);
      const isLink = source.kind === "link";
      const title = input.metadata.title?.trim() || filename;
      const docpath = buildDocpath({
        folder,
        filename: isLink
          ? filename.replace(/\.html$/, "")
          : input.prefix
            ? filename.replace(/\.txt$/, "")
            : filename,
        id,
        prefix: isLink ? "url-" : input.prefix,
      });
      await this.documents.create(scope, manager, {
        id,
        folder,
        filename,
        title: title.slice(0, 1000),
        docpath,
        url: input.metadata.url ?? `file://${filename}`,
        docAuthor: input.metadata.docAuthor ?? "Unknown",
        description: input.metadata.description ?? "Unknown",
        docSource: input.metadata.docSource ?? "",
        chunkSource,
        published: input.metadata.published ?? new Date().toLocaleString("en-US"),
        declaredMime: input.mime,
        mime: input.mime ?? "application/octet-stream",
        kind: kindOf({ filename, mime: input.mime ?? "", source }),
        bytes: input.bytes,
        sha256: input.sha256,
        blobKey: input.blobKey,
      });
      if (scope.workspace && input.embed)
        await this.workspaceDocuments.add(scope as WorkspaceScope, manager, id);
      await this.outbox.add(
        manager,
        parseJob(id, 1, input.embed ? scope.workspace?.id : undefined),
      );
      return { documentId: id, title, docpath };
    }).finally(() => this.notice.tell());
  }

  @Handle(getDocumentStates)
  async states(
    input: In<typeof getDocumentStates>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getDocumentStates>> {
    const ids = input.documentIds.filter((id) => /^[0-9a-f-]{36}$/i.test(id));
    const [documents, links] = await Promise.all([
      this.documents.list(scope, ids),
      scope.workspace ? this.workspaceDocuments.listOfDocuments(scope as WorkspaceScope, ids) : [],
    ]);
    const byDocument = new Map(links.map((link) => [link.documentId, link]));
    const uploads = documents
      .filter((document) => document.uploadId === document.id)
      .map((document) => document.id);
    const sheets = Map.groupBy(
      uploads.length === 0 ? [] : await this.sheets.listFurther(scope, uploads),
      (sheet) => sheet.uploadId,
    );
    return {
      // Omits documents removed from the workspace in the meantime, so a caller polling for them
      // doesn't wait forever.
      documents: documents
        .filter((d) => scope.workspace === null || byDocument.has(d.id))
        .map((d) => {
          const w = byDocument.get(d.id) ?? null;
          const further = sheets.get(d.id)?.map(({ id, docpath }) => ({ documentId: id, docpath }));
          return {
            documentId: d.id,
            docpath: d.docpath,
            state: stateOf(d, w),
            reason: w?.reason ?? d.reason,
            ...(further && { sheets: further }),
          };
        }),
    };
  }

  @Handle(removeAndUnembed)
  async remove(
    input: In<typeof removeAndUnembed>,
    { scope }: RequestContext,
  ): Promise<Out<typeof removeAndUnembed>> {
    const [document] = await this.documents.listByDocpath(scope, [input.documentLocation]);
    // A redelivery after a crash finds no document: the removal already happened, and the wire
    // reports that as not found.
    if (!document) throw notFound();
    await this.remover.removeEverywhere(scope, document);
  }

  @Handle(getProcessorStatus)
  async status(): Promise<Out<typeof getProcessorStatus>> {
    await this.dataSource.query("SELECT 1").catch((cause: unknown) => {
      throw new CarrelError("UNAVAILABLE", "Documents cannot be processed now.", { cause });
    });
  }

  @Handle(listAccepted)
  async types(): Promise<Out<typeof listAccepted>> {
    return { types: listAcceptedTypes({ transcription: await this.transcriber.isReady() }) };
  }
}
