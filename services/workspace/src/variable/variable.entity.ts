import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

/** A value of the instance that prompts name as `{key}`. */
@Entity({ name: "variable" })
export class Variable {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "ALWAYS" })
  id!: number;

  @Column({ type: "text", unique: true })
  key!: string;

  @Column({ type: "text" })
  value!: string;

  @Column({ type: "text", nullable: true })
  description!: string | null;

  /** Who made it; null for the instance and for whoever is no user any more. */
  @Column({ type: "integer", nullable: true })
  userId!: number | null;
}
