import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from "typeorm";

/** A slash command of a person; without a user it is the instance's own session's. */
@Entity({ name: "preset" })
export class Preset {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "ALWAYS" })
  id!: number;

  @Column({ type: "integer", nullable: true })
  userId!: number | null;

  /** The owner as the wire has it, 0 for nobody; PostgreSQL derives it. */
  @Column({ type: "integer", insert: false, update: false })
  uid!: number;

  /** Begins with a slash. */
  @Column({ type: "text" })
  command!: string;

  @Column({ type: "text" })
  prompt!: string;

  @Column({ type: "text" })
  description!: string;

  @CreateDateColumn({ type: "timestamptz", precision: 3 })
  createdAt!: Date;

  @Column({ type: "timestamptz", precision: 3, insert: false })
  updatedAt!: Date;
}
