import { Column, Entity, PrimaryColumn } from "typeorm";

/**
 * One preference of the instance by its label (wire-contract 7), or one of Carrel's own; the
 * instance owns it, so it has no user.
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
