import type { Conversation, ThreadParameters } from "@carrel/contracts";
import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

/** The name of a new thread; the first message renames it. */
export const defaultThreadName = "Thread";

/**
 * One conversation. The default thread of a workspace and owner is the row without a slug and
 * channel.
 */
@Entity("thread")
export class Thread {
  @PrimaryGeneratedColumn("identity") id!: number;
  @Column("text", { nullable: true }) slug!: string | null;
  @Column("integer") workspaceId!: number;
  /** null belongs to the instance (single-user mode). */
  @Column("integer", { nullable: true }) userId!: number | null;
  /**
   * Set for conversations outside the app, which have no slug and appear nowhere in it; identified
   * by `sessionId` and, in widgets, `widgetId`.
   */
  @Column("text", { nullable: true }) channel!: Conversation["channel"] | null;
  @Column("text", { nullable: true }) sessionId!: string | null;
  @Column("integer", { nullable: true }) widgetId!: number | null;
  @Column("text") name!: string;
  /**
   * null: not named yet, or after its question, which a title from the model may still replace.
   * "question": after its question for good.
   */
  @Column("text", { nullable: true }) namedBy!: "model" | "person" | "question" | null;
  @Column("timestamptz", { nullable: true }) pinnedAt!: Date | null;
  @Column("timestamptz", { nullable: true }) archivedAt!: Date | null;
  /** Its owner's choice of a provider and model; null follows the workspace. */
  @Column("text", { nullable: true }) chatProvider!: string | null;
  @Column("text", { nullable: true }) chatModel!: string | null;
  /** Its prompt and how answers in it are written; null follows the workspace. */
  @Column("jsonb", { nullable: true }) answerParameters!: ThreadParameters | null;
  /** When it was moved to the trash. */
  @Column("timestamptz", { nullable: true }) deletedAt!: Date | null;
  @Column("timestamptz") createdAt!: Date;
  @Column("timestamptz") lastUpdatedAt!: Date;
}
