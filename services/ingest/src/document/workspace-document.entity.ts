import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from "typeorm";

/**
 * That a document is in a workspace. Its two publications are `searchableAt` and `embeddedAt`
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

  /** Since when it is pinned; null while it is not. */
  @Column({ type: "timestamptz", precision: 3, nullable: true })
  pinnedAt!: Date | null;

  @Column({ type: "boolean", default: false })
  watched!: boolean;

  @Column({ type: "text" })
  state!: "queued" | "indexing" | "searchable" | "embedding" | "embedded" | "failed";

  /** Why it failed, or what embedding waits for. */
  @Column({ type: "text", nullable: true })
  reason!: string | null;

  /** Version of the work that is due; jobs of older versions skip. */
  @Column({ type: "integer", default: 1 })
  version!: number;

  /** Version whose chunks are live; null until searchable. Chunk ids derive from it. */
  @Column({ type: "integer", nullable: true })
  indexVersion!: number | null;

  /** `<provider>:<model>` of the vectors that are live. */
  @Column({ type: "text", nullable: true })
  embeddedModel!: string | null;

  @Column({ type: "integer", default: 0 })
  chunkCount!: number;

  /** Of the step under way. */
  @Column({ type: "integer", default: 0 })
  chunksDone!: number;

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  searchableAt!: Date | null;

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  embeddedAt!: Date | null;

  /** Embedding failed for now: not before then. */
  @Column({ type: "timestamptz", precision: 3, nullable: true })
  retryAt!: Date | null;

  /**
   * Counts the runs of work on the row: a run that was silent for too long sees that another one
   * took its place.
   */
  @Column({ type: "integer", default: 0 })
  run!: number;

  @Column({ type: "timestamptz", precision: 3, nullable: true })
  leaseUntil!: Date | null;

  @CreateDateColumn({ type: "timestamptz", precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ type: "timestamptz", precision: 3 })
  lastUpdatedAt!: Date;
}
