import type { Fault, In, registerDocument, Scope } from "@carrel/contracts";
import { Column, Entity, PrimaryColumn } from "typeorm";

/** One run of a connector, which turns the items of its source into documents. */
@Entity("import")
export class Import {
  @PrimaryColumn("uuid") id!: string;
  /** Id of the connector. */
  @Column("text") connector!: string;
  /**
   * The connector's settings as encrypted JSON, because they may contain credentials; deleted when
   * the import ends.
   */
  @Column("text", { nullable: true }) sealedSettings!: string | null;
  /** Who started it, and the workspace its documents are added to. */
  @Column("jsonb") scope!: Scope;
  @Column("boolean") embed!: boolean;
  /** Replaces the metadata derived from each item. */
  @Column("jsonb") metadata!: In<typeof registerDocument>["metadata"];
  @Column("text") state!: "listing" | "fetching" | "done" | "failed";
  /** Why it failed: the source couldn't be listed, or the first item that couldn't be imported. */
  @Column("jsonb", { nullable: true }) fault!: Fault | null;
  /**
   * Runs since its last progress that started but never finished, because their processes were
   * killed.
   */
  @Column("integer") openRuns!: number;
  @Column("timestamptz") createdAt!: Date;
  @Column("timestamptz", { nullable: true }) finishedAt!: Date | null;
}
