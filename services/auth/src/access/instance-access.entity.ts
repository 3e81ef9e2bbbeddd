import { Column, Entity, PrimaryColumn, UpdateDateColumn } from "typeorm";

/** The one row that says how the instance is opened; the instance owns it, so it has no user. */
@Entity({ name: "instance_access" })
export class InstanceAccess {
  @PrimaryColumn({ type: "integer" })
  id!: number;

  /** argon2id; null while no password is set. */
  @Column({ type: "text", nullable: true })
  passwordHash!: string | null;

  /** Tokens carry it; every change of the password raises it, so older tokens are void. */
  @Column({ type: "integer" })
  epoch!: number;

  /** `multi`: accounts; there is no way back. */
  @Column({ type: "text" })
  mode!: "single" | "multi";

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  multiUserSince!: Date | null;

  /** Who got what had no owner. */
  @Column({ type: "integer", nullable: true })
  firstAdminId!: number | null;

  @UpdateDateColumn({ type: "timestamptz", precision: 3 })
  updatedAt!: Date;
}
