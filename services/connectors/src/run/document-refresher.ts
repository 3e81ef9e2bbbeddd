import { randomUUID } from "node:crypto";
import {
  CarrelError,
  readChunkSource,
  type Fault,
  type In,
  type Out,
  type refreshDocument,
  type Scope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import {
  DocumentItemRepository,
  type DocumentItem,
} from "../connection/document-item.repository.ts";
import { HostTurnRepository } from "../connection/host-turn.repository.ts";
import type { Connector, Fetched, ListedItem, Source } from "../connector/connector.ts";
import { isBusy, toSourceFault, waitOf } from "../connector/source-fault.ts";
import { FetchPlaces } from "./fetch-places.ts";
import { ItemImporter } from "./item-importer.ts";
import { withAccess } from "./run-turn.ts";
import { SourceOpener } from "./source-opener.ts";
import { StaleDocuments } from "./stale-documents.ts";

type Outcome = Out<typeof refreshDocument>;

/** When a document is asked for again whose source is being imported, in seconds. */
const importSeconds = 60;
/** What a source answers that no longer has an item. */
const missing = new Set(["source.missing", "source.gone"]);

/** Brings single documents up to date: one conditional request each, without a run. */
@Injectable()
export class DocumentRefresher {
  private readonly places = new FetchPlaces(16);

  constructor(
    private readonly documents: DocumentItemRepository,
    private readonly hosts: HostTurnRepository,
    private readonly opener: SourceOpener,
    private readonly importer: ItemImporter,
    private readonly stale: StaleDocuments,
  ) {}

  async refresh(
    { documentId, chunkSource }: In<typeof refreshDocument>,
    scope: Scope,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const found = await this.find(documentId, chunkSource, scope);
    if (found === null) return { outcome: "unknown", fault: { code: "watch.source-unknown" } };
    if (found.isImporting) return { outcome: "waiting", fault: null, retryAfter: importSeconds };
    if (found.item.state === "gone")
      return { outcome: "missing", fault: found.item.fault ?? { code: "source.gone" } };
    try {
      const owner = found.connection.id;
      const access = this.opener.readStored(found.connection);
      const { host } = new URL(access.connector.originOf(access.settings));
      const source = await this.places.run(owner, () => this.opener.open(access, signal));
      // Before it takes a place, as in runs.
      await this.waitFor(host, source, signal);
      const { connector } = access;
      return await this.places.run(owner, () => this.ask(found, { connector, source, host }));
    } catch (error) {
      return describeFault(toSourceFault(error));
    }
  }

  private async find(
    documentId: string,
    chunkSource: string,
    scope: Scope,
  ): Promise<DocumentItem | null> {
    const found = await this.documents.find(documentId);
    const source = readChunkSource(chunkSource);
    if (found !== null || source.kind !== "link") return found;
    await this.documents.adoptLink(scope, documentId, source.url);
    return this.documents.find(documentId);
  }

  /** Waits as long as the host asks everyone to; throws BUSY if that is for too long. */
  private async waitFor(host: string, { limits }: Source, signal: AbortSignal): Promise<void> {
    const { pauseMs = 0 } = limits;
    const waitMs = pauseMs === 0 ? null : await this.hosts.take(host, pauseMs, signal);
    if (waitMs === null) return;
    throw new CarrelError("source.busy", { host }, { retryAfter: Math.ceil(waitMs / 1_000) });
  }

  private async ask(
    { item, connection }: DocumentItem,
    { connector, source, host }: { connector: Connector; source: Source; host: string },
  ): Promise<Outcome> {
    const parsed = connector.item.parse(item.item);
    const current = await source.current?.(parsed);
    if (current === null) throw new CarrelError("source.missing", { host });
    const wanted = current?.item ?? parsed;
    const told = await fetchUnlessKnown(source, wanted, item.version, current);
    const fetched = connection.mirrorPermissions ? await withAccess(source, wanted, told) : told;
    // Each refresh is a revision of its own.
    const revision = { ...item, runId: randomUUID() };
    const outcome = await this.importer.import(fetched, revision, connection);
    if (outcome.state !== "fetched" && outcome.state !== "unchanged")
      return { outcome: "failed", fault: outcome.fault };
    if (!(await this.documents.record({ item, connection }, outcome, current)))
      await this.importer.discard(outcome, item);
    // What ingest can't delete now is deleted later.
    await this.stale.remove(connection.id).catch(() => undefined);
    return { outcome: outcome.state === "fetched" ? "changed" : "unchanged", fault: null };
  }
}

async function fetchUnlessKnown(
  source: Source,
  item: unknown,
  version: string | null,
  current: ListedItem | undefined,
): Promise<Fetched> {
  if (current?.skip !== undefined) return { kind: "skipped", fault: current.skip };
  if (current?.version !== undefined && current.version === version) return { kind: "unchanged" };
  return source.fetch(item, version);
}

function describeFault(fault: unknown): Outcome {
  if (isBusy(fault))
    return { outcome: "waiting", fault: null, retryAfter: Math.ceil(waitOf(fault) / 1_000) };
  if (!(fault instanceof CarrelError)) throw fault;
  const known: Fault = fault.toFault();
  return { outcome: missing.has(known.code) ? "missing" : "failed", fault: known };
}
