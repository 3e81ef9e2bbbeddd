import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

/** One entry of the event log: what happened, who did it, from where. Never a secret. */
@Entity({ name: "event_log" })
export class LoggedEvent {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "ALWAYS" })
  id!: number;

  /** Given by whoever recorded it, so that a second telling adds nothing. */
  @Column({ type: "uuid", unique: true })
  eventId!: string;

  @Column({ type: "text" })
  event!: string;

  /** null: nobody with an account. */
  @Column({ type: "integer", nullable: true })
  userId!: number | null;

  @Column({ type: "jsonb" })
  metadata!: Record<string, unknown>;

  @Column({ type: "timestamptz", precision: 3 })
  occurredAt!: Date;
}
