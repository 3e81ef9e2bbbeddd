import type { Fault } from "@carrel/contracts";
import { Column, Entity, PrimaryColumn } from "typeorm";
import type { AccessList } from "../connector/connector.ts";

/** An item of a connection's source: one row, whatever number of runs come across it. */
@Entity("source_item")
export class SourceItem {
  @PrimaryColumn("uuid") connectionId!: string;
  /** The connector's id of it, shortened to a hash if long. */
  @PrimaryColumn("text") key!: string;
  /** The order in which items were found. */
  @Column({ type: "bigint", insert: false, update: false }) ordinal!: string;
  /** The latest run that came across it. */
  @Column("uuid") runId!: string;
  @Column("jsonb") item!: unknown;
  @Column("text") title!: string;
  @Column("text") address!: string;
  /** The version that the listing told. */
  @Column("text", { nullable: true }) listedVersion!: string | null;
  /** The version of its document. */
  @Column("text", { nullable: true }) version!: string | null;
  @Column("text") state!: "pending" | "fetched" | "unchanged" | "skipped" | "failed" | "gone";
  /** Why it was skipped, failed or is gone. */
  @Column("jsonb", { nullable: true }) fault!: Fault | null;
  @Column("uuid", { nullable: true }) documentId!: string | null;
  /**
   * Its document was removed because its source no longer has it; whether something still leads to
   * it isn't known before the next run.
   */
  @Column("boolean") isLost!: boolean;
  @Column("text", { nullable: true }) sha256!: string | null;
  /** Unique in its connection. */
  @Column("text", { nullable: true }) fingerprint!: string | null;
  /** Who may see it, as the source says; null while that isn't known. */
  @Column("jsonb", { nullable: true }) access!: AccessList | null;
  /**
   * Names the readers that its document has (`audienceOf`); null: everyone. Begins with
   * `unknownAudience` while ingest is told of others.
   */
  @Column("text", { nullable: true }) audience!: string | null;
  @Column("bigint", {
    nullable: true,
    transformer: {
      from: (value: string | null) => (value === null ? null : Number(value)),
      to: (value: number | null) => value,
    },
  })
  bytes!: number | null;
  /** How often it was begun in this run, including by processes that were killed. */
  @Column("integer") attempts!: number;
  @Column("timestamptz") dueAt!: Date;
  @Column("timestamptz") updatedAt!: Date;
}
