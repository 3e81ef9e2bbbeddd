import { Column, Entity, PrimaryColumn } from "typeorm";

/** One instance setting by its wire key. It belongs to the instance, so there is no user. */
@Entity({ name: "setting" })
export class Setting {
  @PrimaryColumn({ type: "text" })
  key!: string;

  @Column({ type: "text", nullable: true })
  value!: string | null;

  /** A SecretBox's `v1:` text; a secret has no `value`. */
  @Column({ type: "text", nullable: true })
  sealed!: string | null;

  /** Increases with every write to the table. */
  @Column({ type: "bigint" })
  version!: string;

  @Column({ type: "timestamptz", precision: 3 })
  updatedAt!: Date;
}
