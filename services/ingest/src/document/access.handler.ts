import {
  documentAccessChanged,
  listHiddenDocuments,
  setDocumentAccess,
  workspaceDocumentsChanged,
  type In,
  type Out,
} from "@carrel/contracts";
import { eventMessage, Handle, Outbox, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { AudienceRepository } from "./audience.repository.ts";
import { LibraryNotice } from "./library-notice.ts";
import { readerOf } from "./reader.ts";

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Says and changes who may see documents. */
@Controller()
export class DocumentAccessHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly audiences: AudienceRepository,
    private readonly notice: LibraryNotice,
  ) {}

  @Handle(setDocumentAccess)
  async set({
    documentIds,
    readers,
  }: In<typeof setDocumentAccess>): Promise<Out<typeof setDocumentAccess>> {
    const changed = await this.dataSource.transaction(async (manager) => {
      const audienceId = readers === null ? null : await this.audiences.ensure(manager, readers);
      const { documents, workspaceIds } = await this.audiences.restrict(
        manager,
        documentIds,
        audienceId,
      );
      await this.outbox.add(
        manager,
        ...workspaceIds.map((workspaceId) =>
          eventMessage(workspaceDocumentsChanged, { workspaceId }),
        ),
        ...(documents > 0 ? [eventMessage(documentAccessChanged, {})] : []),
      );
      return documents;
    });
    if (changed > 0) this.notice.announce();
    return { changed };
  }

  @Handle(listHiddenDocuments)
  async listHidden(
    { documentIds }: In<typeof listHiddenDocuments>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listHiddenDocuments>> {
    const ids = documentIds.filter((id) => uuid.test(id));
    return { hidden: await this.audiences.listHidden(readerOf(scope), ids) };
  }
}
