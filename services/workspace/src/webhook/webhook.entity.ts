import type { WebhookEvent } from "@carrel/contracts";
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from "typeorm";

/** An address that events are posted to. */
@Entity({ name: "webhook" })
export class Webhook {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "ALWAYS" })
  id!: number;

  /** Sealed by `SecretBox`, because the addresses of many services hold a secret. */
  @Column({ type: "text" })
  sealedUrl!: string;

  @Column({ type: "text" })
  description!: string;

  @Column({ type: "text", array: true })
  events!: WebhookEvent[];

  /** null: all. */
  @Column({ type: "integer", array: true, nullable: true })
  workspaceIds!: number[] | null;

  @Column({ type: "boolean" })
  enabled!: boolean;

  /** Signing secret, sealed by `SecretBox`. */
  @Column({ type: "text" })
  sealedSecret!: string;

  @CreateDateColumn({ type: "timestamptz", precision: 3 })
  createdAt!: Date;

  @Column({ type: "timestamptz", precision: 3, insert: false })
  updatedAt!: Date;
}
