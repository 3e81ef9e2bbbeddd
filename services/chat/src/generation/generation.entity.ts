import type { Scope } from "@carrel/contracts";
import { Column, Entity, PrimaryColumn } from "typeorm";

export type GenerationState = "queued" | "running" | "done" | "failed" | "cancelled";

/** One run of a model that makes one answer. At most one of a thread is running (unique index). */
@Entity("generation")
export class Generation {
  @PrimaryColumn("uuid") id!: string;
  @Column("integer") turnId!: number;
  @Column("integer") threadId!: number;
  @Column("integer") workspaceId!: number;
  @Column("integer", { nullable: true }) userId!: number | null;
  /** Order of the queue. */
  @Column("bigint") position!: string;
  @Column("text") state!: GenerationState;
  /** Who may run it further: any replica takes a queued one along. */
  @Column("jsonb") scope!: Scope;
  /** As the message asked; null: the workspace's mode. */
  @Column("text", { nullable: true }) requestedMode!: "chat" | "query" | null;
  /** As the client told them. */
  @Column("text", { nullable: true }) timeZone!: string | null;
  @Column("text", { nullable: true }) locale!: string | null;
  /** The replica that runs it, and until when it is believed to live. */
  @Column("text", { nullable: true }) leaseOwner!: string | null;
  @Column("timestamptz", { nullable: true }) leaseExpiresAt!: Date | null;
  @Column("boolean") cancelRequested!: boolean;
  @Column("text", { nullable: true }) provider!: string | null;
  @Column("text", { nullable: true }) model!: string | null;
  @Column("timestamptz") createdAt!: Date;
  @Column("timestamptz", { nullable: true }) startedAt!: Date | null;
  @Column("timestamptz", { nullable: true }) finishedAt!: Date | null;
}
