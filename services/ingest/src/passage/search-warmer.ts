import { servicePrincipal } from "@carrel/contracts";
import type { ChunkRepository } from "../chunking/chunk.repository.ts";
import type { IndexStore } from "../index/index-store.ts";

/**
 * Delayed so that it doesn't slow down startup. Smaller workspaces are fast enough to count during
 * their first search.
 */
const warmAfterMs = 3_000;
const fewestPassages = 5_000;
/** Maximum number of workspaces to warm up; each takes several MB of memory. */
const mostWorkspaces = 3;

/**
 * Computes word statistics of the largest workspaces shortly after startup, so their first search
 * doesn't have to wait for them.
 */
export class SearchWarmer {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly chunks: Pick<ChunkRepository, "listLargestWorkspaces">,
    private readonly index: Pick<IndexStore, "text">,
  ) {}

  start(): void {
    this.timer = setTimeout(() => void this.warm(), warmAfterMs).unref();
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  /**
   * Returns the ids of the workspaces counted. Never rejects: the first search runs into the same
   * error and reports it.
   */
  async warm(fewest = fewestPassages): Promise<number[]> {
    const counted: number[] = [];
    try {
      for (const workspaceId of await this.chunks.listLargestWorkspaces(
        { principal: servicePrincipal, workspace: null },
        mostWorkspaces,
        fewest,
      )) {
        await (await this.index.text()).statistics({ workspaceId, terms: [] });
        counted.push(workspaceId);
      }
    } catch {
      return counted;
    }
    return counted;
  }
}
