import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from "typeorm";

/** An unused recovery code. */
@Entity("recovery_code")
export class RecoveryCode {
  @PrimaryGeneratedColumn("identity") id!: number;
  @Column("integer") userId!: number;
  /** HMAC of the normalised code. */
  @Column("text") hash!: string;
}

/** Allows setting one new password within ten minutes. */
@Entity("reset_token")
export class ResetToken {
  @PrimaryColumn("text") hash!: string;
  @Column("integer") userId!: number;
  /** Hashes of the codes it was issued for. */
  @Column("text", { array: true }) usedCodes!: string[];
  @Column("timestamptz") expiresAt!: Date;
}
