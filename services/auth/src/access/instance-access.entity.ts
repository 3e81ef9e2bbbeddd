import { Column, Entity, PrimaryColumn, UpdateDateColumn } from "typeorm";

/**
 * The single row that describes how to access the instance; it belongs to the instance, so it has
 * no user.
 */
@Entity({ name: "instance_access" })
export class InstanceAccess {
  @PrimaryColumn({ type: "integer" })
  id!: number;

  /** argon2id; null while no password is set. */
  @Column({ type: "text", nullable: true })
  passwordHash!: string | null;

  /**
   * Included in tokens and incremented with every password change, which invalidates older tokens.
   */
  @Column({ type: "integer" })
  epoch!: number;

  /** `multi`: user accounts; cannot be switched back. */
  @Column({ type: "text" })
  mode!: "single" | "multi";

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  multiUserSince!: Date | null;

  /** The user who took over all rows without an owner. */
  @Column({ type: "integer", nullable: true })
  firstAdminId!: number | null;

  @UpdateDateColumn({ type: "timestamptz", precision: 3 })
  updatedAt!: Date;
}
