import type { Fault, In, registerDocument, Scope } from "@carrel/contracts";
import { Column, Entity, PrimaryColumn } from "typeorm";

/** A source that documents come from, apart from the runs over it. */
@Entity("connection")
export class Connection {
  @PrimaryColumn("uuid") id!: string;
  /** Id of the connector. */
  @Column("text") connector!: string;
  /** null: its documents are added to the library only. */
  @Column("integer", { nullable: true }) workspaceId!: number | null;
  /** null: the one person of an instance without accounts, or somebody who was deleted. */
  @Column("integer", { nullable: true }) ownerId!: number | null;
  /** Its owner, and the workspace its documents are added to. */
  @Column("jsonb") scope!: Scope;
  @Column("text") name!: string;
  @Column("jsonb") settings!: Record<string, unknown>;
  /** The credential as encrypted JSON; empty if it was deleted with its owner. */
  @Column("text", { nullable: true }) sealedCredential!: string | null;
  @Column("boolean") embed!: boolean;
  /** Replaces the metadata derived from each item. */
  @Column("jsonb") metadata!: In<typeof registerDocument>["metadata"];
  /**
   * Imported once, for a client that knows no connections; kept as long as its documents, so that
   * they can be brought up to date.
   */
  @Column("boolean") isOnce!: boolean;
  /** When one that was imported once is deleted; null while it has documents. */
  @Column("timestamptz", { nullable: true }) expiresAt!: Date | null;
  /** Keeps documents that its source has deleted. */
  @Column("boolean") keepsGone!: boolean;
  /** Its settings are others than those its last finished run had. */
  @Column("boolean") isChanged!: boolean;
  /** Where its connector's `changes` begin. */
  @Column("text", { nullable: true }) mark!: string | null;
  /** Its documents are only for people who may see them at the source. */
  @Column("boolean") mirrorPermissions!: boolean;
  /** Account names of the source are usernames here. */
  @Column("boolean") matchAccounts!: boolean;
  /** When who may see its items is checked next; null: never. */
  @Column("timestamptz", { nullable: true }) accessDueAt!: Date | null;
  /** Counts these checks; part of the id of each one's job. */
  @Column("integer") accessVersion!: number;
  /** Where the current check goes on; null: at the first item. */
  @Column("text", { nullable: true }) accessCursor!: string | null;
  /** When the source may be asked again after it failed; null: with every check. */
  @Column("timestamptz", { nullable: true }) accessAskAt!: Date | null;
  /** Since when it has refused to tell. */
  @Column("timestamptz", { nullable: true }) accessRefusedSince!: Date | null;
  /** Checks that failed in a row. */
  @Column("integer") accessFailures!: number;
  @Column("timestamptz", { nullable: true }) accessCheckedAt!: Date | null;
  @Column("jsonb", { nullable: true }) accessFault!: Fault | null;
  @Column("timestamptz") createdAt!: Date;
  @Column("timestamptz") updatedAt!: Date;
}
