import {
  CarrelError,
  getDocumentStates,
  getProcessorStatus,
  listAcceptedTypes as listAccepted,
  removeAndUnembed,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { listAcceptedTypes } from "../parsing/accepted-types.ts";
import { isLibreOfficeInstalled } from "../parsing/run-libreoffice.ts";
import { Transcriber } from "../transcription/transcriber.ts";
import { stateOf } from "../document/workspace-document.mapper.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { DocumentRemover } from "../document/document-remover.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { SheetDocuments } from "./sheet-documents.ts";

const notFound = (): CarrelError => new CarrelError("document.not-found");

@Controller()
export class DocumentHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly remover: DocumentRemover,
    private readonly transcriber: Transcriber,
    private readonly sheets: SheetDocuments,
  ) {}

  @Handle(getDocumentStates)
  async states(
    input: In<typeof getDocumentStates>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getDocumentStates>> {
    const ids = input.documentIds.filter((id) => /^[0-9a-f-]{36}$/i.test(id));
    // First: a spreadsheet becomes searchable and gets its sheet's path in one transaction, so the
    // path must not be older than the state.
    const links = scope.workspace
      ? await this.workspaceDocuments.listOfDocuments(scope as WorkspaceScope, ids)
      : [];
    const documents = await this.documents.list(scope, ids);
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
      throw new CarrelError("document.processing-unavailable", {}, { cause });
    });
  }

  @Handle(listAccepted)
  async types(): Promise<Out<typeof listAccepted>> {
    const types = listAcceptedTypes({
      transcription: await this.transcriber.isReady(),
      libreOffice: isLibreOfficeInstalled(),
    });
    return { types };
  }
}
