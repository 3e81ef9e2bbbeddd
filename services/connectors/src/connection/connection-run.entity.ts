import type { ConnectionRunState, ConnectionRunWire, Fault } from "@carrel/contracts";
import { Column, Entity, PrimaryColumn } from "typeorm";

/** One pass over a connection's source. A connection has at most one open run. */
@Entity("connection_run")
export class ConnectionRun {
  @PrimaryColumn("uuid") id!: string;
  @Column("uuid") connectionId!: string;
  @Column("text") state!: ConnectionRunState;
  /** Fetches only what the run before couldn't. */
  @Column("boolean") isRetry!: boolean;
  @Column("boolean") isListed!: boolean;
  /** Some of the source wasn't recorded: there was too much, or it couldn't be listed. */
  @Column("boolean") isCut!: boolean;
  /** What its listing left out is fetched, one by one, before the rest counts as gone. */
  @Column("boolean") asksUnlisted!: boolean;
  /** What is in all items that its listing couldn't tell of, so they are kept. */
  @Column("jsonb", { nullable: true }) leftOut!: Record<string, unknown> | null;
  /** Where the next page of the listing begins. */
  @Column("text", { nullable: true }) cursor!: string | null;
  /** If set, only changes since this mark are listed. */
  @Column("text", { nullable: true }) since!: string | null;
  /** Becomes the connection's mark when the run finishes. */
  @Column("text", { nullable: true }) mark!: string | null;
  @Column("integer") found!: number;
  @Column("integer") fetched!: number;
  @Column("integer") unchanged!: number;
  @Column("integer") skipped!: number;
  @Column("integer") failed!: number;
  /** Documents that are deleted, because their items are gone or left out now. */
  @Column("integer") removed!: number;
  @Column("bigint", { transformer: { from: Number, to: (value: number) => value } })
  bytes!: number;
  @Column("jsonb", { nullable: true }) fault!: Fault | null;
  @Column("integer", { nullable: true }) startedBy!: number | null;
  /** Counts turns; part of the id of each turn's job. */
  @Column("integer") turn!: number;
  /** Turns since the last progress that never ended, because their processes were killed. */
  @Column("integer") lostTurns!: number;
  /** How often the source has asked to wait since the last progress. */
  @Column("integer") waits!: number;
  @Column("timestamptz", { nullable: true }) waitsUntil!: Date | null;
  @Column("timestamptz") createdAt!: Date;
  @Column("timestamptz", { nullable: true }) startedAt!: Date | null;
  @Column("timestamptz", { nullable: true }) endedAt!: Date | null;
}

export const mapRun = (run: ConnectionRun): ConnectionRunWire => ({
  id: run.id,
  connectionId: run.connectionId,
  state: run.state,
  isListed: run.isListed,
  found: run.found,
  fetched: run.fetched,
  unchanged: run.unchanged,
  skipped: run.skipped,
  failed: run.failed,
  removed: run.removed,
  bytes: run.bytes,
  startedBy: run.startedBy,
  createdAt: run.createdAt.toISOString(),
  startedAt: run.startedAt?.toISOString() ?? null,
  endedAt: run.endedAt?.toISOString() ?? null,
  waitsUntil: run.waitsUntil?.toISOString() ?? null,
  fault: run.fault,
});
