import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from "typeorm";

/**
 * A file that was dropped on a chat: whose it is and where. What it says is a document that no
 * library shows.
 */
@Entity({ name: "parsed_file" })
export class ParsedFile {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "BY DEFAULT" })
  id!: number;

  @Column({ type: "integer" })
  workspaceId!: number;

  @Column({ type: "integer" })
  threadId!: number;

  /** Who dropped it; null for the instance's own session. */
  @Column({ type: "integer", nullable: true })
  userId!: number | null;

  @Column({ type: "uuid", unique: true })
  documentId!: string;

  @CreateDateColumn({ type: "timestamptz", precision: 3 })
  createdAt!: Date;
}
