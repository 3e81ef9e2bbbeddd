import type { DocumentKind, FaultWire, ReasonWire, WatchState } from "@carrel/contracts";
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from "typeorm";
import type { Heading } from "../parsing/parsed-document.ts";
import { reasonColumn } from "./reason-column.ts";

/** The driver returns bigint columns as text. */
const bigintNumber = {
  to: (value: number) => value,
  from: (value: string | number) => Number(value),
};

/**
 * A document in the library: the parsed content of one original, with its metadata (wire-contract
 * 6.2).
 */
@Entity({ name: "document" })
export class Document {
  @PrimaryColumn({ type: "uuid" })
  id!: string;

  /** `<folder>/<slug>-<id>.json`: the name clients know it by. */
  @Column({ type: "text", unique: true })
  docpath!: string;

  @Column({ type: "text" })
  folder!: string;

  /** Name as uploaded, cleaned; determines the parser together with the bytes. */
  @Column({ type: "text" })
  filename!: string;

  @Column({ type: "text" })
  title!: string;

  @Column({ type: "text" })
  url!: string;

  @Column({ type: "text" })
  docAuthor!: string;

  @Column({ type: "text" })
  description!: string;

  /** Empty until parsed if the uploader gave none. */
  @Column({ type: "text" })
  docSource!: string;

  @Column({ type: "text" })
  chunkSource!: string;

  /** A person's or client's own file, whatever it says about where it comes from. */
  @Column({ type: "boolean", default: false })
  isUpload!: boolean;

  @Column({ type: "text" })
  published!: string;

  @Column({ type: "text", nullable: true })
  declaredMime!: string | null;

  @Column({ type: "text" })
  mime!: string;

  @Column({ type: "bigint", transformer: bigintNumber })
  bytes!: number;

  @Column({ type: "text" })
  sha256!: string;

  /** The original in the blob store; null if it was not kept. */
  @Column({ type: "text", nullable: true })
  blobKey!: string | null;

  /** File kind, for filters. */
  @Column({ type: "text", default: "other" })
  kind!: DocumentKind;

  @Column({ type: "text", array: true, default: "{}" })
  tags!: string[];

  @Column({ type: "integer", default: 0 })
  wordCount!: number;

  @Column({ type: "integer", default: 0 })
  tokenCount!: number;

  @Column({ type: "integer", default: 0 })
  textLength!: number;

  @Column({ type: "integer", nullable: true })
  pages!: number | null;

  @Column({ type: "jsonb", default: [] })
  headings!: Heading[];

  /** What was left out of the text, or only assumed (`file-note` codes). */
  @Column({ type: "jsonb", nullable: true })
  notes!: FaultWire[] | null;

  /** The encoding that a person chose; null to detect it. */
  @Column({ type: "text", nullable: true })
  encoding!: string | null;

  @Column({ type: "text" })
  state!: "queued" | "parsing" | "parsed" | "failed";

  @Column({ type: "text", nullable: true, transformer: reasonColumn })
  reason!: ReasonWire | null;

  /**
   * Incremented with every attempt that a person or the reconciler requests; jobs of older versions
   * are skipped.
   */
  @Column({ type: "integer", default: 1 })
  version!: number;

  /**
   * Incremented with each run, so that a run whose lease expired notices that another one replaced
   * it.
   */
  @Column({ type: "integer", default: 0 })
  run!: number;

  /** The current run holds the row until then. */
  @Column({ type: "timestamptz", precision: 3, nullable: true })
  leaseUntil!: Date | null;

  /** False for a file dropped on a chat; its `parsed_file` row names the owner. */
  @Column({ type: "boolean", default: true })
  inLibrary!: boolean;

  /** Number of pages to recognise, for the recognition queue; null or 0 if there are none. */
  @Column({ type: "integer", nullable: true })
  recognitionPages!: number | null;

  /**
   * Number of pictures, or pages with some, that are recognised after the text was stored; 0 once
   * they are read or given up, null if there never were any.
   */
  @Column({ type: "integer", nullable: true })
  picturesDue!: number | null;

  /** Number of attempts to store the text of its pictures; 0 once it is stored or given up. */
  @Column({ type: "integer", default: 0 })
  pictureAttempts!: number;

  /** Parsing was ended because it held up others; the queue of slow files parses the document. */
  @Column({ type: "boolean", default: false })
  isSlow!: boolean;

  /** A recording, whose speech has to be written down; the queue for those parses the document. */
  @Column({ type: "boolean", default: false })
  isRecording!: boolean;

  /** The first document of the spreadsheet this sheet belongs to; null for a standalone file. */
  @Column({ type: "uuid", nullable: true })
  uploadId!: string | null;

  /** Number of sheets that its spreadsheet had; null for other files. */
  @Column({ type: "integer", nullable: true })
  sheetCount!: number | null;

  /** The document whose content this row will replace; null for a document. */
  @Column({ type: "uuid", nullable: true })
  revises!: string | null;

  /** Number of its content, from 1. */
  @Column({ type: "integer", default: 1 })
  revision!: number;

  /** When its content was replaced the last time; null if it never was. */
  @Column({ type: "timestamptz", precision: 3, nullable: true })
  revisedAt!: Date | null;

  /** When its source was asked the last time; null if it was uploaded. */
  @Column({ type: "timestamptz", precision: 3, nullable: true })
  checkedAt!: Date | null;

  /** Whether it follows its source; `stopped` if the sync worker has given it up. */
  @Column({ type: "text", nullable: true })
  watch!: WatchState | null;

  /** Who watched it last. */
  @Column({ type: "integer", nullable: true })
  watchedBy!: number | null;

  /** Who uploaded it; null for the instance's own session. */
  @Column({ type: "integer", nullable: true })
  userId!: number | null;

  /** Who else may see it; null: everyone in its workspaces. */
  @Column({ type: "integer", nullable: true })
  audienceId!: number | null;

  @CreateDateColumn({ type: "timestamptz", precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ type: "timestamptz", precision: 3 })
  updatedAt!: Date;
}
