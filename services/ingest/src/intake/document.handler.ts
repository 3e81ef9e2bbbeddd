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
import { DocumentRemover } from "../document/document-remover.ts";
import { stateOf } from "../document/document.mapper.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { formats } from "../parsing/formats.ts";
import type { Format } from "../parsing/parsed-document.ts";
import { isLibreOfficeInstalled } from "../parsing/run-libreoffice.ts";
import { Transcriber } from "../transcription/transcriber.ts";
import { SheetDocuments } from "./sheet-documents.ts";

const images: Record<string, string[]> = {
  "image/png": [".png"],
  "image/jpeg": [".jpg", ".jpeg"],
  "image/jpg": [".jpg", ".jpeg"],
  "image/webp": [".webp"],
  "image/gif": [".gif"],
  "image/bmp": [".bmp"],
  "image/tiff": [".tif", ".tiff"],
};
const recordings: Record<string, string[]> = {
  "audio/wav": [".wav"],
  "audio/mpeg": [".mp3"],
  "audio/ogg": [".ogg", ".oga"],
  "audio/opus": [".opus"],
  "audio/mp4": [".m4a"],
  "audio/x-m4a": [".m4a"],
  "audio/webm": [".webm"],
  "audio/flac": [".flac"],
  "audio/aac": [".aac"],
  "video/mp4": [".mp4"],
  "video/mpeg": [".mpeg", ".mpg"],
  "video/quicktime": [".mov"],
  "video/webm": [".webm"],
  "video/x-matroska": [".mkv"],
};

/**
 * Accepted MIME types with their extensions: the formats of wire-contract 6.3 and all others with a
 * parser. Recordings are included only if they can be transcribed, and old presentations only if
 * LibreOffice is installed.
 */
export function listAcceptedTypes(o: {
  transcription: boolean;
  libreOffice: boolean;
}): Record<string, string[]> {
  const of = (...wanted: Format[]): Record<string, string[]> =>
    Object.fromEntries(wanted.map((format) => [formats[format].mime, formats[format].extensions]));
  return {
    "text/plain": [".txt", ".md", ".org", ".adoc", ".rst"],
    "text/html": [".html", ".htm"],
    "text/csv": [".csv"],
    "application/json": [".json"],
    "application/xml": [".xml"],
    ...of("docx", "pptx", "xlsx", "xls", "odt", "ods", "odp", "pdf", "mbox", "eml", "rtf", "epub"),
    ...of("mhtml", "notebook", "vcard", "calendar", "subtitles", "msg", "doc", "iwork", "zip"),
    ...(o.libreOffice ? of("ppt") : {}),
    ...images,
    ...(o.transcription ? recordings : {}),
  };
}

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
