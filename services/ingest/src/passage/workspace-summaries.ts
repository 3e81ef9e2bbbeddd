import {
  workspaceDocumentsChanged,
  type EventPayload,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { ChunkRepository, type WorkspaceSummary } from "../chunking/chunk.repository.ts";

interface Entry {
  summary: WorkspaceSummary;
  /** A table that was checked again and is still missing. */
  missing: string | null;
}

/**
 * Caches how much each workspace contains until its documents change; a lost broadcast means up to
 * two seconds of stale data. Never used to decide whether a document exists.
 */
@Injectable()
export class WorkspaceSummaries implements OnApplicationShutdown {
  private readonly cache = new LRUCache<number, Entry>({ max: 1000, ttl: 2_000 });
  private readonly stopListening: () => void;

  constructor(
    private readonly chunks: ChunkRepository,
    broadcast: Broadcast,
  ) {
    this.stopListening = broadcast.on(`event:${workspaceDocumentsChanged.name}`, (payload) =>
      this.cache.delete((payload as EventPayload<typeof workspaceDocumentsChanged>).workspaceId),
    );
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }

  async get(scope: WorkspaceScope): Promise<WorkspaceSummary> {
    return this.cache.get(scope.workspace.id)?.summary ?? this.load(scope, null);
  }

  /**
   * Whether the workspace has vectors in the table. A cached "no" is checked once: the table's index
   * may have become active since, before the broadcast arrives.
   */
  async hasVectors(scope: WorkspaceScope, table: string): Promise<boolean> {
    const entry = this.cache.get(scope.workspace.id);
    if (entry?.summary.models.includes(table)) return true;
    if (entry?.missing === table) return false;
    return (await this.load(scope, table)).models.includes(table);
  }

  /** Empty workspaces aren't cached, so that their first document counts immediately. */
  private async load(scope: WorkspaceScope, missing: string | null): Promise<WorkspaceSummary> {
    const summary = await this.chunks.summary(scope);
    if (summary.documents > 0) this.cache.set(scope.workspace.id, { summary, missing });
    return summary;
  }
}
