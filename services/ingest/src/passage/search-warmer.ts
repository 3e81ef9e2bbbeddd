import { servicePrincipal } from "@carrel/contracts";
import type { ChunkRepository } from "../chunking/chunk.repository.ts";
import type { IndexStore } from "../index/index-store.ts";

/**
 * After the start, so that nothing of it waits; smaller workspaces are counted within their first
 * search, unnoticed.
 */
const warmAfterMs = 3_000;
const fewestPassages = 5_000;
/** Workspaces that are counted ahead at most: some MB of memory each. */
const mostWorkspaces = 3;

/**
 * Counts the words of the largest workspaces soon after the start: their first search would wait
 * for it.
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
   * Gives the workspaces that were counted. Never rejects: what cannot be counted shows in the
   * first search, which says so.
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
