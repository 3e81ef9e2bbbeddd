import type { Role } from "@carrel/contracts";
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from "typeorm";

/** An account of multi-user mode. Deleting it removes the row, and the id is never reused. */
@Entity("user")
export class User {
  @PrimaryGeneratedColumn("identity") id!: number;
  /** Unique, lower case. */
  @Column("text") username!: string;
  /** argon2id; null if the user signs in only through OpenID. */
  @Column("text", { nullable: true }) passwordHash!: string | null;
  @Column("text") role!: Role;
  @Column("boolean") suspended!: boolean;
  @Column("text") bio!: string;
  /** Unique, lower case; set by an admin or by a provider that verified it. */
  @Column("text", { nullable: true }) email!: string | null;
  @Column("integer", { nullable: true }) dailyMessageLimit!: number | null;
  /** null follows the system. */
  @Column("text", { nullable: true }) theme!: "default" | "light" | null;
  @Column("text", { nullable: true }) language!: string | null;
  /** Blob key of the picture (WebP). */
  @Column("text", { nullable: true }) pictureKey!: string | null;
  /** Whether recovery codes were shown; if false, the next login issues new ones. */
  @Column("boolean") seenRecoveryCodes!: boolean;
  /** TOTP secret, sealed by `SecretBox`; in effect once `secondFactorSince` is set. */
  @Column("text", { nullable: true }) secondFactorSealed!: string | null;
  @Column("timestamptz", { nullable: true }) secondFactorSince!: Date | null;
  /** Time step of the last accepted code, because each code works once. */
  @Column("bigint", { nullable: true }) secondFactorStep!: string | null;
  @CreateDateColumn({ type: "timestamptz", precision: 3 }) createdAt!: Date;
  @UpdateDateColumn({ type: "timestamptz", precision: 3 }) updatedAt!: Date;
}
