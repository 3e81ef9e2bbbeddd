import type { AnswerOverrides, ChatMode, Scope, ToolCall } from "@carrel/contracts";
import { Column, Entity, PrimaryColumn } from "typeorm";

export type GenerationState = "queued" | "running" | "done" | "failed" | "cancelled";

/**
 * One run of a model that produces one answer. At most one per thread is running (unique index).
 */
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
  /** On whose behalf it runs, for any replica that claims it from the queue. */
  @Column("jsonb") scope!: Scope;
  /** The mode requested with the message; null uses the workspace's. */
  @Column("text", { nullable: true }) requestedMode!: ChatMode | null;
  /** Overrides of the workspace's settings. */
  @Column("jsonb", { nullable: true }) overrides!: AnswerOverrides | null;
  /** As reported by the client. */
  @Column("text", { nullable: true }) timeZone!: string | null;
  @Column("text", { nullable: true }) locale!: string | null;
  /** The replica that runs it, and until when that replica is presumed alive. */
  @Column("text", { nullable: true }) leaseOwner!: string | null;
  @Column("timestamptz", { nullable: true }) leaseExpiresAt!: Date | null;
  /** Runs that ended with their replica before they had any text. */
  @Column("integer") lostRuns!: number;
  @Column("boolean") cancelRequested!: boolean;
  @Column("text", { nullable: true }) provider!: string | null;
  @Column("text", { nullable: true }) model!: string | null;
  /** What the model wants the client to do; null if nothing. */
  @Column("json", { nullable: true }) toolCalls!: ToolCall[] | null;
  @Column("timestamptz") createdAt!: Date;
  @Column("timestamptz", { nullable: true }) startedAt!: Date | null;
  @Column("timestamptz", { nullable: true }) finishedAt!: Date | null;
}
