import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { In, Scope, StepOutput, findGeneratedFile } from "@carrel/contracts";
import type { FileKeeper } from "@carrel/skills";
import { BLOB_STORE, type BlobStore } from "@carrel/storage";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

const blobKeyOf = (file: string): string => `generated/${file.replace(".", "/")}`;

/** Files that agents made, which belong to their answers. */
@Injectable()
export class GeneratedFiles {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  /** Keeps the files of one answer. */
  keeperOf(turnId: number): FileKeeper {
    return { keep: (file) => this.keep(turnId, file) };
  }

  /**
   * Returns null both for unknown files and for those of other people; keys have every file of their
   * workspaces, or only those without an owner.
   */
  async find(
    { principal }: Scope,
    { file, ownerless }: In<typeof findGeneratedFile>,
  ): Promise<{ blobKey: string; name: string; mime: string } | null> {
    const [row] = await queryRows<{ name: string; mime: string }>(
      this.dataSource,
      `SELECT f.name, f.mime
      FROM chat.generated_file f
      JOIN chat.turn ON turn.id = f.turn_id AND NOT turn.hidden
      JOIN chat.thread ON thread.id = turn.thread_id AND thread.deleted_at IS NULL
      WHERE f.file = $1
        AND CASE
          WHEN $2 THEN ($3::int[] IS NULL OR turn.workspace_id = ANY($3))
            AND (NOT $4 OR turn.user_id IS NULL)
          ELSE turn.user_id IS NOT DISTINCT FROM $5
        END`,
      [file, principal.kind === "key", principal.workspaceIds ?? null, ownerless, principal.userId],
    );
    return row === undefined ? null : { ...row, blobKey: blobKeyOf(file) };
  }

  private async keep(
    turnId: number,
    { name, mime, bytes }: Parameters<FileKeeper["keep"]>[0],
  ): Promise<StepOutput> {
    const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? "bin";
    const file = `${randomUUID()}.${extension}`;
    await this.blobs.put(blobKeyOf(file), Readable.from([Buffer.from(bytes)]));
    await this.dataSource.query(
      `INSERT INTO chat.generated_file (file, turn_id, name, mime, bytes)
      VALUES ($1, $2, $3, $4, $5)`,
      [file, turnId, name, mime, bytes.byteLength],
    );
    return { type: "file", name, file, mime, size: bytes.byteLength };
  }
}
