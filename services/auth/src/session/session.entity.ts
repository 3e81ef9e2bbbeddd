import { Column, Entity, PrimaryColumn } from "typeorm";

/**
 * One sign-in, referenced by its token; without the row the token is invalid. `userId` null belongs
 * to the instance (single-user mode with a password).
 */
@Entity("session")
export class Session {
  @PrimaryColumn("uuid") id!: string;
  @Column("integer", { nullable: true }) userId!: number | null;
  /** How the user signed in. */
  @Column("text") method!: "password" | "sso" | "openid";
  @Column("text", { nullable: true }) address!: string | null;
  @Column("text", { nullable: true }) userAgent!: string | null;
  @Column("timestamptz") createdAt!: Date;
  /** When the owner last confirmed the session; null if not since the sign-in. */
  @Column("timestamptz", { nullable: true }) confirmedAt!: Date | null;
  /** Updated at most every few minutes. */
  @Column("timestamptz") lastSeenAt!: Date;
  @Column("timestamptz") expiresAt!: Date;
}
