import type { InviteRole } from "@carrel/contracts";
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from "typeorm";

@Entity("invite")
export class Invite {
  @PrimaryGeneratedColumn("identity") id!: number;
  /** HMAC of the code; unique. */
  @Column("text") hash!: string;
  /** Last characters of the code, for lists. */
  @Column("text") hint!: string;
  /** The code as a SecretBox's `v1:` text, while it is pending; null if it was made without one. */
  @Column("text", { nullable: true }) sealedCode!: string | null;
  @Column("text") status!: "pending" | "claimed" | "disabled";
  @Column("integer", { array: true }) workspaceIds!: number[];
  /** The person it is for; null if not stated. */
  @Column("text", { nullable: true }) label!: string | null;
  @Column("text") role!: InviteRole;
  /** How many people can accept it; it is pending until they have. */
  @Column("integer") maxUses!: number;
  @Column("integer") uses!: number;
  @Column({ type: "timestamptz", precision: 3, nullable: true }) expiresAt!: Date | null;
  /** null: created with an API key. */
  @Column("integer", { nullable: true }) createdBy!: number | null;
  /** Who accepted it last. */
  @Column("integer", { nullable: true }) claimedBy!: number | null;
  @CreateDateColumn({ type: "timestamptz", precision: 3 }) createdAt!: Date;
  @UpdateDateColumn({ type: "timestamptz", precision: 3 }) updatedAt!: Date;
}

/** Whether somebody can still accept it. */
export const isOpen = ({ status, expiresAt }: Invite, now = Date.now()): boolean =>
  status === "pending" && (expiresAt === null || expiresAt.getTime() > now);
