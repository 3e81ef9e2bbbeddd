import type { AnswerParameters, ChatMode, FallbackModels } from "@carrel/contracts";
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from "typeorm";

/**
 * A container of documents and threads. Once `deletedAt` is set, it is a tombstone: invisible to
 * everyone, but its slug stays taken.
 */
@Entity({ name: "workspace" })
export class Workspace {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "BY DEFAULT" })
  id!: number;

  @Column({ type: "text", unique: true })
  slug!: string;

  @Column({ type: "text" })
  name!: string;

  /** The creator; null for the instance's own session. */
  @Column({ type: "integer", nullable: true })
  userId!: number | null;

  @Column({ type: "double precision", nullable: true })
  temperature!: number | null;

  @Column({ type: "integer" })
  historyLength!: number;

  @Column({ type: "text", nullable: true })
  systemPrompt!: string | null;

  @Column({ type: "double precision" })
  similarityThreshold!: number;

  @Column({ type: "integer" })
  topN!: number;

  @Column({ type: "text" })
  chatMode!: ChatMode;

  @Column({ type: "text", nullable: true })
  chatProvider!: string | null;

  @Column({ type: "text", nullable: true })
  chatModel!: string | null;

  @Column({ type: "text", nullable: true })
  queryRefusalResponse!: string | null;

  @Column({ type: "text", nullable: true })
  agentProvider!: string | null;

  @Column({ type: "text", nullable: true })
  agentModel!: string | null;

  @Column({ type: "text" })
  vectorSearchMode!: "default" | "rerank";

  /** Null follows the instance's list. */
  @Column({ type: "jsonb", nullable: true })
  fallbackModels!: FallbackModels | null;

  @Column({ type: "jsonb", nullable: true })
  answerParameters!: AnswerParameters | null;

  /** IDs of agent skills that are off here. */
  @Column({ type: "text", array: true })
  disabledSkills!: string[];

  /** Blob key of its picture. */
  @Column({ type: "text", nullable: true })
  pictureKey!: string | null;

  @CreateDateColumn({ type: "timestamptz", precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ type: "timestamptz", precision: 3 })
  updatedAt!: Date;

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  deletedAt!: Date | null;

  /** Services that have deleted their data of this workspace. */
  @Column({ type: "text", array: true })
  deleteConfirmedBy!: string[];
}
