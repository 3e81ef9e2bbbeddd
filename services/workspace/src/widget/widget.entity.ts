import type { WidgetWire } from "@carrel/contracts";
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from "typeorm";

/** A chat on other sites that answers from one workspace. */
@Entity({ name: "widget" })
export class Widget {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "ALWAYS" })
  id!: number;

  /** Public: the pages that use the widget contain it. */
  @Column({ type: "uuid", insert: false, update: false })
  uuid!: string;

  @Column({ type: "integer" })
  workspaceId!: number;

  /** The creator; null for the instance, API keys and deleted users. */
  @Column({ type: "integer", nullable: true })
  userId!: number | null;

  @Column({ type: "text", nullable: true })
  name!: string | null;

  @Column({ type: "boolean" })
  enabled!: boolean;

  @Column({ type: "text" })
  chatMode!: "chat" | "query";

  /** Origins as browsers report them. */
  @Column({ type: "text", array: true })
  origins!: string[];

  /** Counts only while there are no origins. */
  @Column({ type: "boolean" })
  allowAnyOrigin!: boolean;

  @Column({ type: "boolean" })
  allowModelOverride!: boolean;

  @Column({ type: "boolean" })
  allowTemperatureOverride!: boolean;

  @Column({ type: "boolean" })
  allowPromptOverride!: boolean;

  /** Questions in any 24 hours, like the next three; null: unlimited. */
  @Column({ type: "integer", nullable: true })
  dayLimit!: number | null;

  @Column({ type: "integer", nullable: true })
  sessionLimit!: number | null;

  @Column({ type: "integer", nullable: true })
  visitorLimit!: number | null;

  @Column({ type: "integer", nullable: true })
  addressLimit!: number | null;

  /** Earlier messages that an answer considers. */
  @Column({ type: "integer" })
  historyLimit!: number;

  /** Maximum length of a question, in characters. */
  @Column({ type: "integer" })
  messageLength!: number;

  /** Texts in place of the built-in ones. */
  @Column({ type: "jsonb" })
  messages!: WidgetWire["limit_messages"];

  @Column({ type: "boolean" })
  showSources!: boolean;

  @Column({ type: "boolean" })
  onlySignedVisitors!: boolean;

  @Column({ type: "boolean" })
  pageEnabled!: boolean;

  /** A SecretBox's `v1:` text. */
  @Column({ type: "text", nullable: true })
  identitySecret!: string | null;

  @Column({ type: "text", nullable: true })
  greeting!: string | null;

  @Column({ type: "text", array: true })
  suggestedMessages!: string[];

  @Column({ type: "jsonb" })
  appearance!: WidgetWire["appearance"];

  @CreateDateColumn({ type: "timestamptz", precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ type: "timestamptz", precision: 3 })
  updatedAt!: Date;
}
