import { CarrelError, findPassages, type Passage, type WorkspaceScope } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { contains, dropContainedPassages } from "./select-sources.ts";

/**
 * Maximum number of sources to check, from the newest turns first; some of their documents may be
 * gone.
 */
const maxSources = 40;

/** Finds passages used by earlier answers of a thread (wire-contract 4.7, backfill). */
@Injectable()
export class EarlierSources {
  constructor(
    private readonly dataSource: DataSource,
    private readonly requests: RequestClient,
  ) {}

  /**
   * Returns up to `wanted` passages of the last `turns` turns before this one, newest turn first,
   * that still exist, are not pinned (`excluded` documents) and don't repeat `known`.
   */
  async find(o: {
    scope: WorkspaceScope;
    threadId: number;
    beforeTurnId: number;
    turns: number;
    known: readonly Passage[];
    excluded: ReadonlySet<string>;
    wanted: number;
  }): Promise<Passage[]> {
    const rows = await queryRows<{ id: string; documentId: string; start: number; end: number }>(
      this.dataSource,
      `
      SELECT source.value->>'id' AS id, source.value->>'documentId' AS "documentId",
        (source.value->>'start')::int AS start, (source.value->>'end')::int AS end
      FROM (
        SELECT id, sources
        FROM turn
        WHERE thread_id = $1
          AND workspace_id = $2
          AND user_id IS NOT DISTINCT FROM $3
          AND id < $4
          AND ${visibleTurn("turn")}
        ORDER BY id DESC LIMIT $5
      ) AS turn,
        json_array_elements(turn.sources) WITH ORDINALITY AS source
      WHERE source.value->>'score' IS NOT NULL
      ORDER BY turn.id DESC, source.ordinality LIMIT $6`,
      [
        o.threadId,
        o.scope.workspace.id,
        o.scope.principal.userId,
        o.beforeTurnId,
        o.turns,
        maxSources,
      ],
    );
    const taken = new Set(o.known.map((passage) => passage.chunkId));
    const sources = rows.filter(
      ({ id, documentId }) => !o.excluded.has(documentId) && !taken.has(id) && taken.add(id),
    );
    if (sources.length === 0) return [];
    const found = dropContainedPassages(await this.read(o.scope, sources));
    return found
      .filter((passage) => !o.known.some((known) => contains(known, passage)))
      .slice(0, o.wanted);
  }

  private async read(
    scope: WorkspaceScope,
    sources: { id: string; documentId: string; start: number; end: number }[],
  ): Promise<Passage[]> {
    try {
      return (await this.requests.request(findPassages, { sources }, { scope })).passages;
    } catch (error) {
      // During a rolling update, ingest may still run an earlier version.
      if (error instanceof CarrelError && error.kind === "UNSUPPORTED") return [];
      throw error;
    }
  }
}
