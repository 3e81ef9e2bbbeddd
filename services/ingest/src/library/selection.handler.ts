import {
  CarrelError,
  addDocuments,
  embedAgain,
  moveDocuments,
  pinDocuments,
  purgeDocuments,
  removeWorkspaceDocuments,
  reparseDocuments,
  tagDocuments,
  type DocumentSelection,
  type In,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { readFolderPath } from "../document/docpath.ts";
import { requireWorkspace } from "../document/workspace-scope.ts";
import type { ChangeOutcome, LibraryChange } from "./change-page.ts";
import { FolderRepository } from "./folder.repository.ts";
import { LibraryChanges } from "./library-changes.ts";

const clean = (tags: string[]): string[] => [
  ...new Set(
    tags
      .map((tag) =>
        tag
          .normalize("NFC")
          .replace(/\p{Cc}/gu, "")
          .trim(),
      )
      .filter((tag) => tag !== ""),
  ),
];

/** Bulk operations of the document manager. */
@Controller()
export class SelectionHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly folders: FolderRepository,
    private readonly changes: LibraryChanges,
  ) {}

  @Handle(moveDocuments)
  async move(input: In<typeof moveDocuments>, { scope }: RequestContext): Promise<ChangeOutcome> {
    const folder = readFolderPath(input.folder);
    const outcome = await this.inLibrary(scope, { kind: "move", folder }, input.selection);
    if (outcome.affected > 0) await this.folders.ensure(scope, this.dataSource.manager, folder);
    return outcome;
  }

  @Handle(tagDocuments)
  tag(input: In<typeof tagDocuments>, { scope }: RequestContext): Promise<ChangeOutcome> {
    const [add, remove] = [clean(input.add), clean(input.remove)];
    if (add.length + remove.length === 0) throw new CarrelError("document.tag-missing");
    return this.inLibrary(scope, { kind: "tag", add, remove }, input.selection);
  }

  @Handle(purgeDocuments)
  purge(input: In<typeof purgeDocuments>, { scope }: RequestContext): Promise<ChangeOutcome> {
    return this.inLibrary(scope, { kind: "purge" }, input.selection);
  }

  @Handle(reparseDocuments)
  reparse(input: In<typeof reparseDocuments>, { scope }: RequestContext): Promise<ChangeOutcome> {
    return this.inLibrary(scope, { kind: "reread" }, input.selection);
  }

  @Handle(addDocuments)
  add(input: In<typeof addDocuments>, { scope }: RequestContext): Promise<ChangeOutcome> {
    return this.changes.start(requireWorkspace(scope), { kind: "add" }, input.selection);
  }

  @Handle(removeWorkspaceDocuments)
  removeFromWorkspace(
    input: In<typeof removeWorkspaceDocuments>,
    { scope }: RequestContext,
  ): Promise<ChangeOutcome> {
    return this.changes.start(requireWorkspace(scope), { kind: "take-out" }, input.selection);
  }

  @Handle(embedAgain)
  embedAgain(input: In<typeof embedAgain>, { scope }: RequestContext): Promise<ChangeOutcome> {
    return this.changes.start(requireWorkspace(scope), { kind: "embed-again" }, input.selection);
  }

  @Handle(pinDocuments)
  pin(input: In<typeof pinDocuments>, { scope }: RequestContext): Promise<ChangeOutcome> {
    return this.changes.start(
      requireWorkspace(scope),
      { kind: "pin", pinned: input.pinned },
      input.selection,
    );
  }

  private inLibrary(
    scope: Scope,
    change: LibraryChange,
    selection: DocumentSelection,
  ): Promise<ChangeOutcome> {
    return this.changes.start({ ...scope, workspace: null }, change, selection);
  }
}
