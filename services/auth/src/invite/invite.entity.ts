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
  /** null: created with an API key. */
  @Column("integer", { nullable: true }) createdBy!: number | null;
  @Column("integer", { nullable: true }) claimedBy!: number | null;
  @CreateDateColumn({ type: "timestamptz", precision: 3 }) createdAt!: Date;
  @UpdateDateColumn({ type: "timestamptz", precision: 3 }) updatedAt!: Date;
}
