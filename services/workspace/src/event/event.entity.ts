import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

/**
 * One entry of the event log: what happened, who did it and from where. Never contains a secret.
 */
@Entity({ name: "event_log" })
export class LoggedEvent {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "ALWAYS" })
  id!: number;

  /** Assigned by the service that recorded the event, so that redelivery adds no second entry. */
  @Column({ type: "uuid", unique: true })
  eventId!: string;

  @Column({ type: "text" })
  event!: string;

  /** null if the actor has no account. */
  @Column({ type: "integer", nullable: true })
  userId!: number | null;

  @Column({ type: "jsonb" })
  metadata!: Record<string, unknown>;

  @Column({ type: "timestamptz", precision: 3 })
  occurredAt!: Date;

  /** Place in the chain; set when the transaction commits. */
  @Column({ type: "integer", nullable: true, insert: false, update: false })
  sequence!: number | null;

  @Column({ type: "bytea", nullable: true, insert: false, update: false })
  hash!: Buffer | null;
}
