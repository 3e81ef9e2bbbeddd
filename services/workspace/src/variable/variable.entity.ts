import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

/** An instance-wide value that prompts refer to as `{key}`. */
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

  /** The creator; null for the instance and deleted users. */
  @Column({ type: "integer", nullable: true })
  userId!: number | null;
}
