import {
  parseDocument,
  parseSlowDocument,
  parseThreadFile,
  recogniseDocument,
  servicePrincipal,
  transcribeDocument,
  type JobPayload,
  type KnownFault,
} from "@carrel/contracts";
import { ProcessFailed } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentProgress } from "../document/document-progress.ts";
import type { Document } from "../document/document.entity.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { ParseOutcome } from "./parse-outcome.ts";
import { PictureReader } from "./picture-reader.ts";

const scope = { principal: servicePrincipal, workspace: null };
const reason: KnownFault = { code: "file.parsing-failed" };

/**
 * Marks documents whose jobs failed for good, whatever failed them (a database that refuses the text,
 * an error nobody foresaw), which answers whoever waits for them.
 */
@Injectable()
export class ParseFailures {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly outcome: ParseOutcome,
    private readonly progress: DocumentProgress,
    private readonly pictures: PictureReader,
  ) {}

  @ProcessFailed(
    parseDocument,
    recogniseDocument,
    transcribeDocument,
    parseSlowDocument,
    parseThreadFile,
  )
  async end(payload: JobPayload<typeof parseDocument>): Promise<void> {
    await this.pictures.giveUp(payload);
    const { documentId, version } = payload;
    const document = await this.documents.find(scope, documentId);
    if (document?.version !== version || !["queued", "parsing"].includes(document.state)) return;
    const targets = await this.workspaceDocuments.listQueued(scope, documentId);
    if (!(await this.outcome.fail(document, reason, true))) return;
    const failed: Document = { ...document, state: "failed", reason };
    if (targets.length === 0) this.progress.announce(failed, null);
    for (const w of targets) this.progress.announce(failed, { ...w, state: "failed", reason });
  }
}
