import {
  moveLibraryFiles,
  removeDocument,
  removeDocuments,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { DocumentRepository } from "../document/document.repository.ts";
import { FileMover } from "./file-mover.ts";
import { LibraryChanges } from "./library-changes.ts";
import { LibraryNotice } from "../document/library-notice.ts";

/** Moves and removes documents by docpath, as existing clients do. */
@Controller()
export class LibraryFileChangeHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: DocumentRepository,
    private readonly changes: LibraryChanges,
    private readonly mover: FileMover,
    private readonly notice: LibraryNotice,
  ) {}

  @Handle(removeDocument)
  removeOne({ name }: In<typeof removeDocument>, { scope }: RequestContext): Promise<void> {
    return this.remove(scope, [name]);
  }

  @Handle(removeDocuments)
  removeMany({ names }: In<typeof removeDocuments>, { scope }: RequestContext): Promise<void> {
    return this.remove(scope, names);
  }

  @Handle(moveLibraryFiles)
  async move(
    { files }: In<typeof moveLibraryFiles>,
    context: RequestContext,
  ): Promise<Out<typeof moveLibraryFiles>> {
    const outcome = await keyed(this.dataSource, context, (manager) =>
      this.mover.move(context.scope, manager, files),
    );
    if (outcome.moved > 0) this.notice.announce();
    return outcome;
  }

  /** Removes documents from the library and every workspace, ignoring unknown docpaths. */
  private async remove(scope: Scope, docpaths: string[]): Promise<void> {
    const documentIds = await this.documents.listIds(scope, docpaths);
    if (documentIds.length > 0)
      await this.changes.start({ ...scope, workspace: null }, { kind: "purge" }, { documentIds });
  }
}
