import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from "typeorm";

/**
 * A developer API key (`developer`, every right) or a browser-extension key (`extension`, its
 * owner's role).
 */
@Entity("api_key")
export class ApiKey {
  @PrimaryGeneratedColumn("identity") id!: number;
  @Column("text") kind!: "developer" | "extension";
  @Column("text", { nullable: true }) name!: string | null;
  /** HMAC of the key; unique. */
  @Column("text") hash!: string;
  /** The key's last characters, for lists. */
  @Column("text") hint!: string;
  /**
   * Who made it; it goes with the user. null: made in single-user mode, until the first admin takes
   * it over.
   */
  @Column("integer", { nullable: true }) userId!: number | null;
  /** Written at most every few minutes. */
  @Column("timestamptz", { nullable: true }) lastUsedAt!: Date | null;
  @CreateDateColumn({ type: "timestamptz", precision: 3 }) createdAt!: Date;
  @UpdateDateColumn({ type: "timestamptz", precision: 3 }) updatedAt!: Date;
}
