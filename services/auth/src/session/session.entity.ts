import { Column, Entity, PrimaryColumn } from "typeorm";

/**
 * One sign-in. The token names it; without its row the token is void. `userId` null is the
 * instance's (single-user mode with a password).
 */
@Entity("session")
export class Session {
  @PrimaryColumn("uuid") id!: string;
  @Column("integer", { nullable: true }) userId!: number | null;
  /** How it was made. */
  @Column("text") method!: "password" | "sso" | "openid";
  @Column("text", { nullable: true }) address!: string | null;
  @Column("text", { nullable: true }) userAgent!: string | null;
  @Column("timestamptz") createdAt!: Date;
  /** Written at most every few minutes. */
  @Column("timestamptz") lastSeenAt!: Date;
  @Column("timestamptz") expiresAt!: Date;
}
