import { CarrelError, updatePin, workspaceDocumentsChanged, type In } from "@carrel/contracts";
import { eventMessage, Handle, Outbox, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { DocumentRepository } from "../document/document.repository.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";

@Controller()
export class PinHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly progress: DocumentProgress,
  ) {}

  @Handle(updatePin)
  async update(input: In<typeof updatePin>, context: RequestContext): Promise<void> {
    const scope = requireWorkspace(context.scope);
    const [document] = await this.documents.listByDocpath(scope, [input.docPath]);
    const w =
      document &&
      (await this.dataSource.transaction(async (manager) => {
        const pinned = await this.workspaceDocuments.pin(
          scope,
          manager,
          document.id,
          input.pinStatus,
        );
        if (pinned)
          await this.outbox.add(
            manager,
            eventMessage(workspaceDocumentsChanged, { workspaceId: scope.workspace.id }),
          );
        return pinned && this.workspaceDocuments.find(scope, document.id, manager);
      }));
    if (!document || !w) throw new CarrelError("document.not-in-workspace");
    this.progress.announce(document, w);
  }
}
