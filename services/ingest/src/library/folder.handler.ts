import {
  CarrelError,
  createFolder,
  folderName,
  libraryFilter,
  removeFolder,
  renameFolder,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { defaultFolder } from "../document/docpath.ts";
import { readFolderPath } from "../document/folder-path.ts";
import { FolderRepository } from "./folder.repository.ts";
import { type FrozenChange } from "./library-change.ts";
import { LibraryChanges } from "./library-changes.ts";
import { LibraryNotice } from "../document/library-notice.ts";

const taken = (): CarrelError => new CarrelError("folder.taken");
const inFolder = (folder: string) => ({ filter: libraryFilter.parse({ folder, deep: true }) });

/** Library folders. Changes to their documents run as library changes. */
@Controller()
export class FolderHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly folders: FolderRepository,
    private readonly changes: LibraryChanges,
    private readonly notice: LibraryNotice,
  ) {}

  @Handle(createFolder)
  async create(
    input: In<typeof createFolder>,
    context: RequestContext,
  ): Promise<Out<typeof createFolder>> {
    const name = readFolderPath(input.name);
    return keyed(this.dataSource, context, async (manager) => {
      if (name === defaultFolder || !(await this.folders.create(context.scope, manager, name)))
        throw taken();
      this.notice.announce();
      return { success: true, message: null };
    });
  }

  /**
   * The folder is renamed immediately; its documents follow in the background if there are many.
   */
  @Handle(renameFolder)
  async rename(
    input: In<typeof renameFolder>,
    context: RequestContext,
  ): Promise<Out<typeof renameFolder>> {
    const { scope } = context;
    const to = readFolderPath(input.to);
    const from = input.from;
    if (from === to) return { success: true };
    if (from === defaultFolder) throw new CarrelError("folder.uploads-fixed");
    if (to.startsWith(`${from}/`)) throw new CarrelError("folder.into-itself");
    const frozen = await keyed<Omit<FrozenChange, "after">>(
      this.dataSource,
      context,
      async (manager) => {
        await this.folders.holdLibrary(manager);
        if (await this.folders.hasPendingMoves(scope, manager, [from, to]))
          throw new CarrelError("folder.being-filled");
        if (!(await this.folders.exists(scope, from, manager)))
          throw new CarrelError("folder.not-found");
        if (to === defaultFolder || (await this.folders.exists(scope, to, manager))) throw taken();
        await this.folders.rename(scope, manager, from, to);
        const { id, outcome } = await this.changes.freeze(
          manager,
          scope,
          { kind: "rename", from, to },
          inFolder(from),
        );
        return { id, outcome };
      },
    );
    await this.changes.begin({ ...frozen, after: () => undefined });
    this.notice.announce();
    return { success: true };
  }

  /**
   * Purges the folder's documents as well. Unknown folders are ignored, and the uploads folder is
   * never removed (wire-contract 2.4).
   */
  @Handle(removeFolder)
  async remove(input: In<typeof removeFolder>, { scope }: RequestContext): Promise<void> {
    const name = input.name.replace(/^\/+|\/+$/g, "");
    if (name === defaultFolder || !folderName.safeParse(name).success) return;
    const frozen = await this.dataSource.transaction(async (manager) => {
      await this.folders.remove(scope, manager, name);
      return this.changes.freeze(manager, scope, { kind: "purge" }, inFolder(name));
    });
    await this.changes.begin(frozen);
    this.notice.announce();
  }
}
