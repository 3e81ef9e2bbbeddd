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
  type Publication,
  type PublishedChunk,
  type RestrictedDocuments,
  type WorkspaceSummary,
} from "../chunking/chunk.repository.ts";
import { AudienceRepository } from "../document/audience.repository.ts";
import { everyReader, readerOf } from "../document/reader.ts";

interface Entry {
  summary: WorkspaceSummary;
  /** What isn't for everyone, once somebody asks, for all readers. */
  restricted: Promise<RestrictedDocuments[]> | null;
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
    private readonly audiences: AudienceRepository,
    broadcast: Broadcast,
  ) {
    this.stopListening = broadcast.on(`event:${workspaceDocumentsChanged.name}`, (payload) =>
      this.cache.delete((payload as EventPayload<typeof workspaceDocumentsChanged>).workspaceId),
    );
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }

  /** What the caller may see of the workspace. */
  async get(scope: WorkspaceScope): Promise<WorkspaceSummary> {
    const summary = this.cache.get(scope.workspace.id)?.summary ?? (await this.load(scope, null));
    const reader = readerOf(scope);
    if (summary.restricted === 0 || reader === everyReader) return summary;
    const restricted = await this.listRestricted(scope);
    const readable = new Set(await this.audiences.select(reader, restricted, (each) => each));
    const hidden = restricted.filter((each) => !readable.has(each));
    const count = (what: "documents" | "passages"): number =>
      hidden.reduce((left, each) => Math.max(0, left - each[what]), summary[what]);
    return { ...summary, documents: count("documents"), passages: count("passages") };
  }

  private listRestricted(scope: WorkspaceScope): Promise<RestrictedDocuments[]> {
    const entry = this.cache.get(scope.workspace.id);
    if (entry?.restricted) return entry.restricted;
    const listing = this.chunks.listRestricted(scope);
    if (entry === undefined) return listing;
    entry.restricted = listing;
    // The next reader asks again.
    listing.catch(() => {
      entry.restricted = null;
    });
    return listing;
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
    if (summary.documents > 0)
      this.cache.set(scope.workspace.id, { summary, missing, restricted: null });
    return summary;
  }
}

/** About 350 bytes each. */
const keptChunks = 40_000;
const keptWorkspaces = 200;
const keptPublications = 50_000;

/** Publication of each workspace document; null if it is gone. */
type Publications = Map<number, Publication | null>;

/**
 * Decides from memory which hits still exist. A published chunk never changes, so only the
 * published version of its document matters, and who may see that. Both are dropped when documents
 * change; because that message takes a moment, a search checks them again before it shows anything
 * (docs/decisions/passage-selection.md).
 */
@Injectable()
export class LiveChunks implements OnApplicationShutdown {
  private readonly known = new LRUCache<string, PublishedChunk>({ max: keptChunks });
  private readonly publications = new LRUCache<number, Publications>({ max: keptWorkspaces });
  /** Most chunks share their heading path with others. */
  private readonly paths = new LRUCache<string, string[]>({ max: 5_000 });
  private readonly stop: () => void;

  constructor(
    private readonly chunks: ChunkRepository,
    private readonly audiences: AudienceRepository,
    broadcast: Broadcast,
  ) {
    const stopEvent = broadcast.on(`event:${workspaceDocumentsChanged.name}`, (payload) =>
      this.forget((payload as EventPayload<typeof workspaceDocumentsChanged>).workspaceId),
    );
    const stopGap = broadcast.onGap(() => this.publications.clear());
    this.stop = () => {
      stopEvent();
      stopGap();
    };
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  /**
   * Lists the chunks that exist in the workspace and that the caller may see, in no particular
   * order.
   */
  async list(scope: WorkspaceScope, ids: string[]): Promise<Map<string, PublishedChunk>> {
    const publications = this.publicationsOf(scope.workspace.id);
    const found = await this.listPublished(scope, ids, publications);
    const readable = await this.audiences.select(readerOf(scope), [...found.values()], (chunk) =>
      publications.get(chunk.workspaceDocumentId)!,
    );
    return readable.length === found.size
      ? found
      : new Map(readable.map((chunk) => [chunk.id, chunk]));
  }

  /** Has the workspace's publications read again, because PostgreSQL has others. */
  forget(workspaceId: number): void {
    this.publications.delete(workspaceId);
  }

  private async listPublished(
    scope: WorkspaceScope,
    ids: string[],
    publications: Publications,
  ): Promise<Map<string, PublishedChunk>> {
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
      if (publications.get(chunk.workspaceDocumentId)?.version === chunk.version)
        found.set(id, chunk);
      else unsure.push(chunk);
    }
    if (missing.length === 0 && unsure.length === 0) return found;
    const unknown = new Set(
      unsure.map((chunk) => chunk.workspaceDocumentId).filter((id) => !publications.has(id)),
    );
    const [read] = await Promise.all([
      this.chunks.listLive(scope, missing),
      this.readPublications(scope, [...unknown], publications),
    ]);
    for (const { audienceId, ownerId, ...chunk } of read.values()) {
      const shared = this.share(chunk);
      this.known.set(chunk.id, shared);
      const { workspaceDocumentId, version } = chunk;
      note(publications, workspaceDocumentId, { version, audienceId, ownerId });
      unsure.push(shared);
    }
    // Versions may have changed while they were read.
    for (const chunk of unsure) found.set(chunk.id, chunk);
    found.forEach((chunk, id) => {
      if (publications.get(chunk.workspaceDocumentId)?.version !== chunk.version) found.delete(id);
    });
    return found;
  }

  private publicationsOf(workspaceId: number): Publications {
    const known = this.publications.get(workspaceId);
    if (known !== undefined && known.size <= keptPublications) return known;
    const publications: Publications = new Map();
    this.publications.set(workspaceId, publications);
    return publications;
  }

  private async readPublications(
    scope: WorkspaceScope,
    ids: number[],
    publications: Publications,
  ): Promise<void> {
    if (ids.length === 0) return;
    const published = await this.chunks.listPublications(scope, ids);
    for (const id of ids) note(publications, id, published.get(id) ?? null);
  }

  private share(chunk: PublishedChunk): PublishedChunk {
    const key = JSON.stringify(chunk.headingPath);
    const path = this.paths.get(key);
    if (path === undefined) this.paths.set(key, chunk.headingPath);
    return { ...chunk, headingPath: path ?? chunk.headingPath };
  }
}

/** Versions only grow, so a query that took longer doesn't undo a later one's result. */
function note(publications: Publications, id: number, found: Publication | null): void {
  const known = publications.get(id) ?? null;
  const isOlder = known !== null && (found === null || found.version < known.version);
  publications.set(id, isOlder ? known : found);
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
