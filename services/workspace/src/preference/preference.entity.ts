import { Column, Entity, PrimaryColumn } from "typeorm";

/**
 * One instance preference by label (wire-contract 7), or one of Carrel's own. It belongs to the
 * instance, so there is no user.
 */
@Entity({ name: "preference" })
export class Preference {
  @PrimaryColumn({ type: "text" })
  label!: string;

  @Column({ type: "jsonb" })
  value!: unknown;

  @Column({ type: "timestamptz", precision: 3 })
  updatedAt!: Date;
}
