import {
  workspaceDocumentsChanged,
  type EventPayload,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import {
  ChunkRepository,
  type PublishedChunk,
  type WorkspaceSummary,
} from "../chunking/chunk.repository.ts";

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

/** About 350 bytes each. */
const keptChunks = 40_000;
const keptWorkspaces = 200;
const keptVersions = 50_000;

/** Published version of each workspace document; null if it is gone. */
type Versions = Map<number, number | null>;

/**
 * Decides from memory which hits still exist. A published chunk never changes, so only the
 * published version of its document matters. Versions are dropped when documents change; because
 * that message takes a moment, a search checks them again before it shows anything
 * (docs/decisions/passage-selection.md).
 */
@Injectable()
export class LiveChunks implements OnApplicationShutdown {
  private readonly known = new LRUCache<string, PublishedChunk>({ max: keptChunks });
  private readonly versions = new LRUCache<number, Versions>({ max: keptWorkspaces });
  /** Most chunks share their heading path with others. */
  private readonly paths = new LRUCache<string, string[]>({ max: 5_000 });
  private readonly stop: () => void;

  constructor(
    private readonly chunks: ChunkRepository,
    broadcast: Broadcast,
  ) {
    const stopEvent = broadcast.on(`event:${workspaceDocumentsChanged.name}`, (payload) =>
      this.forget((payload as EventPayload<typeof workspaceDocumentsChanged>).workspaceId),
    );
    const stopGap = broadcast.onGap(() => this.versions.clear());
    this.stop = () => {
      stopEvent();
      stopGap();
    };
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  /** Lists the chunks that exist in the workspace, in no particular order. */
  async list(scope: WorkspaceScope, ids: string[]): Promise<Map<string, PublishedChunk>> {
    const versions = this.versionsOf(scope.workspace.id);
    const found = new Map<string, PublishedChunk>();
    const missing: string[] = [],
      unsure: PublishedChunk[] = [];
    for (const id of ids) {
      // Noting each use would cost more than reading a chunk again now and then.
      const chunk = this.known.peek(id);
      if (chunk === undefined) {
        missing.push(id);
        continue;
      }
      if (versions.get(chunk.workspaceDocumentId) === chunk.version) found.set(id, chunk);
      else unsure.push(chunk);
    }
    if (missing.length === 0 && unsure.length === 0) return found;
    const unknown = new Set(
      unsure.map((chunk) => chunk.workspaceDocumentId).filter((id) => !versions.has(id)),
    );
    const [read] = await Promise.all([
      this.chunks.listLive(scope, missing),
      this.readVersions(scope, [...unknown], versions),
    ]);
    for (const chunk of read.values()) {
      const shared = this.share(chunk);
      this.known.set(chunk.id, shared);
      noteVersion(versions, chunk.workspaceDocumentId, chunk.version);
      unsure.push(shared);
    }
    // Versions may have changed while they were read.
    for (const chunk of unsure) found.set(chunk.id, chunk);
    found.forEach((chunk, id) => {
      if (versions.get(chunk.workspaceDocumentId) !== chunk.version) found.delete(id);
    });
    return found;
  }

  /** Has the workspace's versions read again, because PostgreSQL has others. */
  forget(workspaceId: number): void {
    this.versions.delete(workspaceId);
  }

  private versionsOf(workspaceId: number): Versions {
    const known = this.versions.get(workspaceId);
    if (known !== undefined && known.size <= keptVersions) return known;
    const versions: Versions = new Map();
    this.versions.set(workspaceId, versions);
    return versions;
  }

  private async readVersions(
    scope: WorkspaceScope,
    ids: number[],
    versions: Versions,
  ): Promise<void> {
    if (ids.length === 0) return;
    const published = await this.chunks.listVersions(scope, ids);
    for (const id of ids) noteVersion(versions, id, published.get(id) ?? null);
  }

  private share(chunk: PublishedChunk): PublishedChunk {
    const key = JSON.stringify(chunk.headingPath);
    const path = this.paths.get(key);
    if (path === undefined) this.paths.set(key, chunk.headingPath);
    return { ...chunk, headingPath: path ?? chunk.headingPath };
  }
}

/** Versions only grow, so a query that took longer doesn't undo a later one's result. */
function noteVersion(versions: Versions, id: number, version: number | null): void {
  const known = versions.get(id) ?? null;
  versions.set(
    id,
    version === null || known === null ? (version ?? known) : Math.max(version, known),
  );
}

/** The version of each workspace document that these chunks belong to. */
export function listPublications(
  ...found: ReadonlyMap<string, PublishedChunk>[]
): Map<number, number> {
  const publications = new Map<number, number>();
  for (const chunks of found)
    chunks.forEach(({ workspaceDocumentId, version }) =>
      publications.set(workspaceDocumentId, version),
    );
  return publications;
}
