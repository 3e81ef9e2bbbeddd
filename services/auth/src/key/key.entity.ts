import type { KeyScope } from "@carrel/contracts";
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from "typeorm";

/**
 * A developer API key (`developer`) or a browser-extension key (`extension`, its owner's role;
 * without limits).
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
  @Column("text", { array: true }) scopes!: KeyScope[];
  /** The only workspaces that exist for this key; null: all. Deleted ones stay listed. */
  @Column("integer", { array: true, nullable: true }) workspaceIds!: number[] | null;
  @Column("timestamptz", { nullable: true }) expiresAt!: Date | null;
  @Column("integer", { nullable: true }) requestsPerMinute!: number | null;
  /** Updated at most every few minutes. */
  @Column("timestamptz", { nullable: true }) lastUsedAt!: Date | null;
  @CreateDateColumn({ type: "timestamptz", precision: 3 }) createdAt!: Date;
  @UpdateDateColumn({ type: "timestamptz", precision: 3 }) updatedAt!: Date;
}
