import type { FaultWire } from "@carrel/contracts";
import { Column, CreateDateColumn, Entity, PrimaryColumn } from "typeorm";

/** One event for one webhook. */
@Entity({ name: "webhook_delivery" })
export class WebhookDelivery {
  @PrimaryColumn("uuid")
  id!: string;

  @Column({ type: "integer" })
  webhookId!: number;

  /** The event's own id, so that a redelivered event is stored once. */
  @Column({ type: "uuid" })
  eventId!: string;

  @Column({ type: "text" })
  event!: string;

  /** The JSON text that is posted and signed. */
  @Column({ type: "text" })
  payload!: string;

  @Column({ type: "text" })
  state!: "pending" | "delivered" | "failed";

  /** Grows with each attempt that is scheduled; jobs of older versions are skipped. */
  @Column({ type: "integer" })
  version!: number;

  /** Attempts in the current round; a replay begins another round. */
  @Column({ type: "integer" })
  attempts!: number;

  @Column({ type: "integer" })
  totalAttempts!: number;

  @Column({ type: "integer", nullable: true })
  status!: number | null;

  @Column({ type: "jsonb", nullable: true })
  fault!: FaultWire | null;

  @Column({ type: "text" })
  reply!: string;

  @Column({ type: "integer", nullable: true })
  milliseconds!: number | null;

  @CreateDateColumn({ type: "timestamptz", precision: 3 })
  createdAt!: Date;

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  nextAttemptAt!: Date | null;

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  finishedAt!: Date | null;
}
