import {
  CarrelError,
  dropPreviousIndex,
  stopIndexBuild,
  undoIndexSwitch,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { IndexDirectory } from "./index-directory.ts";
import { IndexFollower } from "./index-follower.ts";
import { IndexJanitor } from "./index-janitor.ts";
import { PreviousIndex } from "./previous-index.ts";
import { SettingsRestorer } from "./settings-restorer.ts";

/** Actions on the index from the settings page. */
@Controller()
export class IndexHandler {
  constructor(
    private readonly directory: IndexDirectory,
    private readonly follower: IndexFollower,
    private readonly previousIndex: PreviousIndex,
    private readonly restorer: SettingsRestorer,
    private readonly janitor: IndexJanitor,
  ) {}

  @Handle(stopIndexBuild)
  async stop(_input: unknown, { scope }: RequestContext): Promise<Out<typeof stopIndexBuild>> {
    const active = await this.directory.active();
    if (!(await this.directory.find("building")) && (await this.follower.isFollowed()))
      throw new CarrelError("index.not-building");
    await this.restorer.restore(scope, active);
    await this.follower.follow();
    this.freeSoon();
    return { success: true };
  }

  @Handle(undoIndexSwitch)
  async undo(_input: unknown, { scope }: RequestContext): Promise<Out<typeof undoIndexSwitch>> {
    const previous = await this.directory.find("previous");
    if (!previous) throw new CarrelError("index.nothing-to-restore");
    // Settings first: if the process dies now, a build leads to the same index.
    await this.restorer.restore(scope, previous);
    await this.previousIndex.activate(scope, previous);
    await this.follower.follow();
    this.freeSoon();
    return { success: true };
  }

  @Handle(dropPreviousIndex)
  async drop(_input: unknown, { scope }: RequestContext): Promise<Out<typeof dropPreviousIndex>> {
    await this.previousIndex.drop(scope);
    this.freeSoon();
    return { success: true };
  }

  /** If this process ends first, the reconciler frees them. */
  private freeSoon(): void {
    setTimeout(() => void this.janitor.free().catch(() => undefined), 1_000).unref();
  }
}
