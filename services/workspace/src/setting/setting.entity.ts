import { Column, Entity, PrimaryColumn } from "typeorm";

/** One setting of the instance, by its wire word; the instance owns it, so it has no user. */
@Entity({ name: "setting" })
export class Setting {
  @PrimaryColumn({ type: "text" })
  key!: string;

  @Column({ type: "text", nullable: true })
  value!: string | null;

  /** `v1:` text of a SecretBox; a secret has no `value`. */
  @Column({ type: "text", nullable: true })
  sealed!: string | null;

  /** Grows with every write anywhere in the table. */
  @Column({ type: "bigint" })
  version!: string;

  @Column({ type: "timestamptz", precision: 3 })
  updatedAt!: Date;
}
