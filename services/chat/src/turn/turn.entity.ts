import type {
  AnswerOverrides,
  ChatMode,
  Fault,
  FeedbackReason,
  MetricsWire,
  QuestionMention,
  RecordedReasoning,
  RunStep,
  SourceWire,
} from "@carrel/contracts";
import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

/**
 * wire-contract 3.1; `contentString` is a data URL or empty: an image's bytes are stored under
 * `blobKey`, other attachments' bytes are not stored.
 */
export interface Attachment {
  name: string;
  mime: string;
  contentString: string;
  blobKey?: string | undefined;
}
/** What an answer has read, so that it may repeat it. */
export interface ReadContent {
  /** Content of others: web pages, documents, replies of servers. */
  hasReadUntrusted: boolean;
  /** Content that not everybody may see: documents, databases, mail. */
  hasReadPrivate: boolean;
}
export type TurnState = "queued" | "running" | "done" | "failed" | "cancelled";

/** A question and its answer. Its ID is the wire's `chatId`. */
@Entity("turn")
export class Turn {
  @PrimaryGeneratedColumn("identity") id!: number;
  @Column("integer") threadId!: number;
  @Column("integer") workspaceId!: number;
  /** null belongs to the instance (single-user mode). */
  @Column("integer", { nullable: true }) userId!: number | null;
  /** The previous turn on its path, always an older one; null for the first. */
  @Column("integer", { nullable: true }) parentId!: number | null;
  /** Whether it is on the active path. */
  @Column("boolean") active!: boolean;
  @Column("text") question!: string;
  /** What its text began with to call the agent (`@agent` and a space); empty if it didn't. */
  @Column("text") agentCall!: string;
  /** While running, the text so far. */
  @Column("text") answer!: string;
  /**
   * Which parts of the answer are reasoning; null: unknown, because an older version stored it or a
   * client rewrote it (`splitReasoning`).
   */
  @Column("jsonb", { nullable: true }) reasoning!: RecordedReasoning | null;
  @Column("json") sources!: SourceWire[];
  /** What its tools did, with positions in the answer; null: it called none. */
  @Column("json", { nullable: true }) steps!: RunStep[] | null;
  @Column("json") attachments!: Attachment[];
  /** What was chosen with `@` for the question. */
  @Column("jsonb") mentions!: QuestionMention[];
  /** What these mentions stand for; null if nothing was chosen, and for older questions. */
  @Column("jsonb", { nullable: true }) choices!: Pick<
    AnswerOverrides,
    "places" | "modelChoice"
  > | null;
  /** As in `ReadContent`; null: unknown, so it counts as read. */
  @Column("boolean", { nullable: true }) readUntrusted!: boolean | null;
  @Column("boolean", { nullable: true }) readPrivate!: boolean | null;
  /** The schedule that asked it; null if a person did. */
  @Column("uuid", { nullable: true }) scheduleId!: string | null;
  @Column("text") mode!: ChatMode;
  @Column("text") state!: TurnState;
  /** Why it failed. */
  @Column("json", { nullable: true }) fault!: Fault | null;
  /** Used instead of a fault for answers stored before failures had codes. */
  @Column("text", { nullable: true }) error!: string | null;
  /** Notices shown along with the answer. */
  @Column("json") codedNotices!: Fault[];
  /** Notices of answers stored before notices had codes. */
  @Column("text", { array: true }) notices!: string[];
  /** Query mode found nothing; existing clients never see such a turn in the history. */
  @Column("boolean") refused!: boolean;
  /** Removed from the history by `/reset`. */
  @Column("boolean") hidden!: boolean;
  @Column("boolean", { nullable: true }) feedback!: boolean | null;
  /** Why it was rated as bad. */
  @Column("jsonb", { nullable: true }) feedbackReason!: FeedbackReason | null;
  @Column("json", { nullable: true }) metrics!: MetricsWire | null;
  @Column("timestamptz") createdAt!: Date;
}
