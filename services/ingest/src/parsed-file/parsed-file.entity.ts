import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from "typeorm";

/**
 * A file dropped on a chat: its owner, thread and workspace. The text is in a document that isn't
 * part of the library.
 */
@Entity({ name: "parsed_file" })
export class ParsedFile {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "BY DEFAULT" })
  id!: number;

  @Column({ type: "integer" })
  workspaceId!: number;

  @Column({ type: "integer" })
  threadId!: number;

  /** The user who dropped it; null for the instance's own session. */
  @Column({ type: "integer", nullable: true })
  userId!: number | null;

  @Column({ type: "uuid", unique: true })
  documentId!: string;

  @CreateDateColumn({ type: "timestamptz", precision: 3 })
  createdAt!: Date;
}
