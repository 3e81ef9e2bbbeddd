import { servicePrincipal } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import { ChunkSampleRepository } from "../chunking/chunk.repository.ts";
import { IndexStore } from "../index/index-store.ts";

/**
 * Delayed so that it doesn't slow down startup. Smaller workspaces are fast enough to count during
 * their first search.
 */
const warmAfterMs = 3_000;
const minPassages = 5_000;
/** Maximum number of workspaces to warm up; each takes several MB of memory. */
const maxWorkspaces = 3;

/**
 * Computes word statistics of the largest workspaces shortly after startup, so their first search
 * doesn't have to wait for them.
 */
@Injectable()
export class SearchWarmer implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly chunks: ChunkSampleRepository,
    private readonly index: IndexStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setTimeout(() => void this.warm(), warmAfterMs).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  /**
   * Returns the ids of the workspaces counted. Never rejects: it only saves the first search time,
   * which runs into the same error and reports it to its user.
   */
  async warm(fewest = minPassages): Promise<number[]> {
    const counted: number[] = [];
    try {
      for (const workspaceId of await this.chunks.listLargestWorkspaces(
        { principal: servicePrincipal, workspace: null },
        maxWorkspaces,
        fewest,
      )) {
        await (await this.index.text()).statistics({ workspaceId, terms: [] });
        counted.push(workspaceId);
      }
    } catch (error) {
      this.logger.warn({ err: error, counted }, "the search could not be warmed up");
    }
    return counted;
  }
}
