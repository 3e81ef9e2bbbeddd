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
  /** Last characters of the key, for lists. */
  @Column("text") hint!: string;
  /**
   * Creator; the key is deleted along with the user. null: created in single-user mode, until the
   * first admin takes it over.
   */
  @Column("integer", { nullable: true }) userId!: number | null;
  /** Updated at most every few minutes. */
  @Column("timestamptz", { nullable: true }) lastUsedAt!: Date | null;
  @CreateDateColumn({ type: "timestamptz", precision: 3 }) createdAt!: Date;
  @UpdateDateColumn({ type: "timestamptz", precision: 3 }) updatedAt!: Date;
}
