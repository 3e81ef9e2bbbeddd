import { buildIndex, servicePrincipal } from "@carrel/contracts";
import { jobMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { IndexBuildRepository, type TurnOutcome } from "./index-build.repository.ts";
import { IndexDirectory } from "./index-directory.ts";
import type { SearchIndex } from "./search-index.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Holds a build for one job, and hands it to the next. */
@Injectable()
export class IndexBuildLease {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly builds: IndexBuildRepository,
    private readonly directory: IndexDirectory,
  ) {}

  /**
   * The index to build; null if another job holds the build or it was cancelled. `isRedelivery`: an
   * earlier attempt of this very job has ended, so its lease no longer counts.
   */
  async claim(id: string, version: number, isRedelivery: boolean): Promise<SearchIndex | null> {
    if (!(await this.builds.claim(scope, id, version, isRedelivery))) return null;
    this.directory.forget();
    const building = await this.directory.find("building");
    return building?.id === id ? building : null;
  }

  /** Ends the job's turn; a build that is still running continues in the next job. */
  async endTurn(id: string, version: number, outcome: TurnOutcome): Promise<void> {
    const continues = outcome.state === "running";
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.builds.endTurn(scope, manager, id, version, outcome))) return;
      if (continues)
        await this.outbox.add(
          manager,
          jobMessage(buildIndex, {
            rowId: id,
            version: version + 1,
            payload: { buildId: id, version: version + 1 },
          }),
        );
      else await this.directory.recordChange(manager);
    });
    if (!continues) await this.directory.announceChange();
  }

  /** The job of a cancelled build has ended, so its storage may be freed. */
  async release(id: string): Promise<void> {
    await this.builds.release(scope, id);
  }
}
