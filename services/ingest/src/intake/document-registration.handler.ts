import {
  CarrelError,
  readChunkSource,
  registerDocument,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, keyed, Outbox, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { randomUUID } from "node:crypto";
import { DataSource } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { LibraryNotice } from "../document/library-notice.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { buildDocpath, cleanFilename, cleanFolder } from "../document/docpath.ts";
import { kindOf } from "../document/document-kind.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { IntakeLimit } from "./intake-limit.ts";
import { parseJob } from "../document/document-jobs.ts";

@Controller()
export class DocumentRegistrationHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly sweeper: BlobSweeper,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly notice: LibraryNotice,
    private readonly limit: IntakeLimit,
  ) {}

  @Handle(registerDocument)
  async register(
    input: In<typeof registerDocument>,
    context: RequestContext,
  ): Promise<Out<typeof registerDocument>> {
    if (input.blobKey !== `original/${input.sha256}`) throw new CarrelError("upload.not-stored");
    const { scope } = context;
    return keyed(this.dataSource, context, async (manager) => {
      if (scope.workspace && input.embed)
        await this.workspaceDocuments.holdWorkspace(scope as WorkspaceScope, manager);
      if (!(await this.sweeper.hold(manager, input.blobKey))) throw new CarrelError("upload.lost");
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
    }).finally(() => this.notice.announce());
  }
}
