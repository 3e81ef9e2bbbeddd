import {
  buildSource,
  CarrelError,
  findPassages,
  type Passage,
  type SourceWire,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";

/**
 * Returns the passages as sources of an answer, in the order of their citation numbers;
 * wire-contract 4.8, with the document header before the text. Only rated ones have a score.
 */
export function selectSources(passages: readonly Passage[]): SourceWire[] {
  return passages.map(buildSource);
}

/**
 * Drops passages contained in a larger passage of the same document; of identical ranges, keeps the
 * first. The larger one keeps all of the text, so it also takes the better one's place and score:
 * what ranks low may not fit into the prompt.
 */
export function dropContainedPassages(passages: readonly Passage[]): Passage[] {
  const kept: Passage[] = [];
  for (const passage of passages) {
    if (kept.some((other) => contains(other, passage))) continue;
    const place = kept.findIndex((other) => contains(passage, other));
    if (place === -1) {
      kept.push(passage);
      continue;
    }
    const { score } = kept[place]!;
    const rest = kept.slice(place + 1).filter((other) => !contains(passage, other));
    kept.splice(place, Infinity, { ...passage, score }, ...rest);
  }
  return kept;
}

export const contains = (outer: Passage, inner: Passage): boolean =>
  outer.documentId === inner.documentId && outer.start <= inner.start && outer.end >= inner.end;

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
        FROM chat.turn
        WHERE thread_id = $1
          AND workspace_id = $2
          AND user_id IS NOT DISTINCT FROM $3
          AND id < $4
          AND ${visibleTurn("turn")}
        ORDER BY id DESC LIMIT $5
      ) AS turn,
        json_array_elements(turn.sources) WITH ORDINALITY AS source
      WHERE source.value->>'score' IS NOT NULL
        AND source.value->>'documentId' <> ''
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
