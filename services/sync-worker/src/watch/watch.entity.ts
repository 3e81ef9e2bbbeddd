import type { FaultWire, SyncChange, SyncStatus, WatchWire, WhenGone } from "@carrel/contracts";
import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

/** A document, or a whole source, that is kept in sync. */
@Entity("watch")
export class Watch {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "ALWAYS" }) id!: number;
  @Column("uuid", { nullable: true }) documentId!: string | null;
  @Column("uuid", { nullable: true }) connectionId!: string | null;
  /** That of the source; documents may be in several. */
  @Column("integer", { nullable: true }) workspaceId!: number | null;
  @Column("text") chunkSource!: string;
  @Column("text") title!: string;
  @Column("text") connector!: string;
  /** What limits apply to together: a document's host, or its connector if it has none; a source. */
  @Column("text") host!: string;
  /** Who watched it; told once it is given up. */
  @Column("integer", { nullable: true }) userId!: number | null;
  /** null: the instance's default. */
  @Column("double precision", { nullable: true }) intervalSeconds!: number | null;
  @Column("text") whenGone!: WhenGone;
  @Column("text") state!: WatchWire["state"];
  @Column("timestamptz") nextSyncAt!: Date;
  /** When a person or a webhook last asked for a sync; null once there was one. */
  @Column("timestamptz", { nullable: true }) requestedAt!: Date | null;
  /** A replica has it until then. */
  @Column("timestamptz", { nullable: true }) leaseUntil!: Date | null;
  /** The sync that is going on, or the latest one. */
  @Column("bigint", { nullable: true }) runId!: string | null;
  /** The connection's run that the sync waits for. */
  @Column("uuid", { nullable: true }) sourceRunId!: string | null;
  @Column("timestamptz", { nullable: true }) lastSyncedAt!: Date | null;
  @Column("timestamptz", { nullable: true }) lastChangedAt!: Date | null;
  @Column("text", { nullable: true }) lastStatus!: SyncStatus | null;
  @Column("jsonb", { nullable: true }) fault!: FaultWire | null;
  @Column("integer") failures!: number;
  @Column("boolean") isMissing!: boolean;
  /** Secret that the source signs its webhooks with, encrypted. */
  @Column("text", { nullable: true }) sealedHookSecret!: string | null;
  @Column("timestamptz") createdAt!: Date;
}

export interface SyncRun {
  id: number;
  status: SyncStatus;
  change: SyncChange | null;
  fault: FaultWire | null;
  startedAt: Date;
  endedAt: Date | null;
}

/** `docpath` is the document's; absent for sources. */
export const mapWatch = (
  watch: Watch,
  defaultInterval: number,
  document?: { docpath: string; title: string },
): WatchWire => ({
  id: watch.id,
  state: watch.state,
  document:
    watch.documentId !== null && document !== undefined
      ? { id: watch.documentId, docpath: document.docpath }
      : null,
  connectionId: watch.connectionId,
  title: document?.title ?? watch.title,
  connector: watch.connector,
  intervalSeconds: Math.max(1, Math.round(watch.intervalSeconds ?? defaultInterval)),
  whenGone: watch.whenGone,
  nextSyncAt: watch.state === "stopped" ? null : watch.nextSyncAt.toISOString(),
  lastSyncedAt: watch.lastSyncedAt?.toISOString() ?? null,
  lastChangedAt: watch.lastChangedAt?.toISOString() ?? null,
  lastStatus: watch.lastStatus,
  fault: watch.fault,
  failures: watch.failures,
  isMissing: watch.isMissing,
  hasHook: watch.sealedHookSecret !== null,
  createdAt: watch.createdAt.toISOString(),
});
