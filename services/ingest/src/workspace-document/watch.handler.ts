import {
  CarrelError,
  liveSyncLabel,
  updateWatchStatus,
  workspaceDocumentsChanged,
  type In,
} from "@carrel/contracts";
import { eventMessage, Handle, Outbox, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { isWatchable } from "../document/document.mapper.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";

@Controller()
export class WatchHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly settings: InstanceSettings,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly progress: DocumentProgress,
  ) {}

  @Handle(updateWatchStatus)
  async update(input: In<typeof updateWatchStatus>, context: RequestContext): Promise<void> {
    const scope = requireWorkspace(context.scope);
    // Checked before any lookup, so a disabled feature doesn't reveal which documents exist.
    if ((await this.settings.get())[liveSyncLabel] !== "true")
      throw new CarrelError("access.forbidden");
    const [document] = await this.documents.listByDocpath(scope, [input.docPath]);
    if (!document || !(await this.workspaceDocuments.find(scope, document.id)))
      throw new CarrelError("document.not-in-workspace");
    if (input.watchStatus && !isWatchable(document))
      throw new CarrelError("document.not-watchable");
    const links = await this.dataSource.transaction(async (manager) => {
      await this.workspaceDocuments.watch(scope, manager, document.id, input.watchStatus);
      const everywhere = await this.workspaceDocuments.listOfDocument(scope, document.id, manager);
      await this.outbox.add(
        manager,
        ...everywhere.map(({ workspaceId }) =>
          eventMessage(workspaceDocumentsChanged, { workspaceId }),
        ),
      );
      return everywhere;
    });
    for (const link of links) this.progress.announce(document, link);
  }
}
