import type { FaultWire, NoticeWire } from "@carrel/contracts";
import { Column, Entity, PrimaryColumn } from "typeorm";

/** Something that happened to a person's things. */
@Entity({ name: "notice" })
export class Notice {
  /** The event's id, so that a redelivered event is stored once. */
  @PrimaryColumn("uuid")
  id!: string;

  /** null: the one person of an instance without accounts. */
  @Column({ type: "integer", nullable: true })
  userId!: number | null;

  @Column({ type: "text" })
  kind!: NoticeWire["kind"];

  @Column({ type: "text", nullable: true })
  title!: string | null;

  @Column({ type: "jsonb" })
  fault!: FaultWire;

  @Column({ type: "integer", nullable: true })
  workspaceId!: number | null;

  @Column({ type: "uuid", nullable: true })
  documentId!: string | null;

  @Column({ type: "uuid", nullable: true })
  connectionId!: string | null;

  @Column({ type: "uuid", nullable: true })
  scheduleId!: string | null;

  @Column({ type: "uuid", nullable: true })
  flowRunId!: string | null;

  /** The flow of that run. */
  @Column({ type: "uuid", nullable: true })
  flowId!: string | null;

  @Column({ type: "text", nullable: true })
  threadSlug!: string | null;

  @Column({ type: "timestamptz", precision: 3 })
  createdAt!: Date;

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  readAt!: Date | null;
}
