import {
  CarrelError,
  documentChecked,
  documentsGone,
  reviseDocument,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, Outbox, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { parseJob } from "../document/document-jobs.ts";
import { Document } from "../document/document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { RevisionRepository, type Content } from "../revision/revision.repository.ts";
import { IntakeGate } from "./intake-gate.ts";

/** Gives documents new content. */
@Controller()
export class RevisionHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly sweeper: BlobSweeper,
    private readonly gate: IntakeGate,
    private readonly revisions: RevisionRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
  ) {}

  @Handle(reviseDocument)
  async revise(
    { documentId, ...content }: In<typeof reviseDocument>,
    context: RequestContext,
  ): Promise<Out<typeof reviseDocument>> {
    const { scope } = context;
    if (content.blobKey !== `original/${content.sha256}`)
      throw new CarrelError("upload.not-stored");
    const result = await keyed(this.dataSource, context, async (manager) => {
      if (!(await this.sweeper.hold(manager, content.blobKey)))
        throw new CarrelError("upload.lost");
      const target = await this.revisions.lockDocument(scope, manager, documentId);
      if (target === null) throw new CarrelError("document.not-found");
      await this.revisions.noteFound(manager, target.id);
      const pending = await this.revisions.findPending(scope, manager, target.id);
      const checkedAt = new Date(content.checkedAt);
      const isLate = [target, pending].some(
        (known) => known?.checkedAt && known.checkedAt > checkedAt,
      );
      if (isLate) return { state: "unchanged" as const };
      if (pending?.sha256 === content.sha256) {
        await manager.update(Document, { revises: target.id }, { checkedAt });
        return { state: "revising" as const };
      }
      await this.revisions.dropPending(scope, manager, target.id);
      if (target.sha256 === content.sha256) {
        await this.revisions.confirm(scope, manager, target.id, content.checkedAt);
        return { state: "unchanged" as const };
      }
      await this.gate.admit(scope, manager);
      await this.begin(manager, context, target, content);
      return { state: "revising" as const };
    });
    this.sweeper.soon();
    return result;
  }

  @Handle(documentChecked)
  async noteChecked(
    { documentId, checkedAt }: In<typeof documentChecked>,
    { scope }: RequestContext,
  ): Promise<Out<typeof documentChecked>> {
    await this.revisions.noteChecked(scope, documentId, checkedAt);
    return {};
  }

  @Handle(documentsGone)
  async noteGone(
    { documentIds }: In<typeof documentsGone>,
    { scope }: RequestContext,
  ): Promise<Out<typeof documentsGone>> {
    await this.revisions.noteGone(scope, documentIds);
    return {};
  }

  /** A document without a text has nothing to keep meanwhile. */
  private async begin(
    manager: EntityManager,
    { scope }: RequestContext,
    target: Document,
    content: Content,
  ): Promise<void> {
    if (target.textLength > 0) {
      const revision = await this.revisions.create(scope, manager, target, content);
      await this.outbox.add(manager, parseJob(revision, null));
      return;
    }
    const unread = await this.revisions.replaceUnread(scope, manager, target, content);
    const [waiting] = await this.workspaceDocuments.requeueEverywhere(scope, manager, target.id);
    if (target.blobKey !== null) await this.sweeper.note(manager, [target.blobKey]);
    await this.outbox.add(manager, parseJob(unread, waiting?.workspaceId ?? null));
  }
}
