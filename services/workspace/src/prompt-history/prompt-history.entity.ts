import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

/** What the system prompt of a workspace was until somebody changed it. */
@Entity({ name: "prompt_history" })
export class PromptHistoryEntry {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "ALWAYS" })
  id!: number;

  @Column({ type: "integer" })
  workspaceId!: number;

  @Column({ type: "text" })
  prompt!: string;

  /** Who changed it; null for the instance and for whoever is no user any more. */
  @Column({ type: "integer", nullable: true })
  modifiedBy!: number | null;

  @Column({ type: "timestamptz", precision: 3, insert: false })
  modifiedAt!: Date;
}
