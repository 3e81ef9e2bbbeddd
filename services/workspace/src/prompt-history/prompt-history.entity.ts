import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

/** A previous system prompt of a workspace. */
@Entity({ name: "prompt_history" })
export class PromptHistoryEntry {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "ALWAYS" })
  id!: number;

  @Column({ type: "integer" })
  workspaceId!: number;

  @Column({ type: "text" })
  prompt!: string;

  /** The user who changed it; null for the instance and deleted users. */
  @Column({ type: "integer", nullable: true })
  modifiedBy!: number | null;

  @Column({ type: "timestamptz", precision: 3, insert: false })
  modifiedAt!: Date;
}
