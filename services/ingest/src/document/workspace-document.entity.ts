import type { ReasonWire } from "@carrel/contracts";
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from "typeorm";
import { reasonColumn } from "./reason-column.ts";

/**
 * A document's membership in a workspace. Its two publications are `searchableAt` and `embeddedAt`
 * (docs/decisions/document-processing.md).
 */
@Entity({ name: "workspace_document" })
export class WorkspaceDocument {
  @PrimaryGeneratedColumn("identity", { generatedIdentity: "BY DEFAULT" })
  id!: number;

  @Column({ type: "integer" })
  workspaceId!: number;

  @Column({ type: "uuid" })
  documentId!: string;

  @Column({ type: "integer", nullable: true })
  userId!: number | null;

  @Column({ type: "boolean", default: false })
  pinned!: boolean;

  /** When it was pinned; null if it isn't. */
  @Column({ type: "timestamptz", precision: 3, nullable: true })
  pinnedAt!: Date | null;

  @Column({ type: "text" })
  state!: "queued" | "indexing" | "searchable" | "embedding" | "embedded" | "failed";

  /** Why it failed, or why embedding was postponed. */
  @Column({ type: "text", nullable: true, transformer: reasonColumn })
  reason!: ReasonWire | null;

  /** Version of the work that is due; jobs of older versions are skipped. */
  @Column({ type: "integer", default: 1 })
  version!: number;

  /** Version whose chunks are live; null until searchable. Chunk ids derive from it. */
  @Column({ type: "integer", nullable: true })
  indexVersion!: number | null;

  /** Table that holds the live vectors (`SearchIndex.table`). */
  @Column({ type: "text", nullable: true })
  embeddedModel!: string | null;

  /** ISO 639-1 or `und`; null until `DocumentLanguages` has detected it. */
  @Column({ type: "text", nullable: true })
  language!: string | null;

  @Column({ type: "integer", default: 0 })
  chunkCount!: number;

  /** Progress of the current step. */
  @Column({ type: "integer", default: 0 })
  chunksDone!: number;

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  searchableAt!: Date | null;

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  embeddedAt!: Date | null;

  /** Earliest time to retry a failed embedding. */
  @Column({ type: "timestamptz", precision: 3, nullable: true })
  retryAt!: Date | null;

  /**
   * Incremented with each run, so that a run whose lease expired notices that another one replaced
   * it.
   */
  @Column({ type: "integer", default: 0 })
  run!: number;

  /** The current run holds the row until then. */
  @Column({ type: "timestamptz", precision: 3, nullable: true })
  leaseUntil!: Date | null;

  @CreateDateColumn({ type: "timestamptz", precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ type: "timestamptz", precision: 3 })
  lastUpdatedAt!: Date;
}
