import type { WorkspaceScope } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { queryRows } from "../database/query-rows.ts";
import { MemoryRepository } from "./memory.repository.ts";

/**
 * Maximum number of facts per extraction, and of characters in one: a model that writes more has
 * misunderstood the task.
 */
export const maxFacts = 5;
export const longestFact = 200;
const shortestFact = 4;

/** Control, format and bidirectional characters, including line breaks, which can hide text. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
/** A URL in a memory isn't a fact about a person, but likely an injection from pasted text. */
const address = /:\/\/|\bwww\./i;

const list = z.array(z.unknown()).catch([]);

/**
 * Parses the facts a model wrote about a user, one line each; anything but a list of short texts
 * yields nothing.
 */
export function readFacts(written: string): string[] {
  const from = written.indexOf("[");
  const until = written.lastIndexOf("]");
  if (from < 0 || until < from) return [];
  const facts = list
    .parse(readJson(written.slice(from, until + 1)))
    .flatMap((fact) => (typeof fact === "string" ? [fact.replace(invisible, " ").trim()] : []));
  return facts
    .filter(
      (fact) =>
        fact.length >= shortestFact &&
        fact.length <= longestFact &&
        fact.isWellFormed() &&
        !address.test(fact),
    )
    .slice(0, maxFacts);
}

/** Drops facts that repeat known ones or each other. */
export function excludeKnown(facts: readonly string[], known: readonly string[]): string[] {
  const seen = new Set(known.map(normalise));
  return facts.filter((fact) => {
    const words = normalise(fact);
    if (words === "" || seen.has(words)) return false;
    seen.add(words);
    return true;
  });
}

/** Keeps only letters and digits, ignoring case. */
const normalise = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * A thread idle for this long has settled; an active one is processed after this many turns or this
 * long.
 */
const quietSeconds = 60;
const maxTurns = 10;
const longestSeconds = 900;
/** Maximum number of characters read of one question. */
const maxRead = 1_000;

/** Turns of a thread that have not been processed. */
export interface DueTurns {
  ids: number[];
  workspaceId: number;
  /** Scope of the last question; null if its run was deleted. */
  scope: WorkspaceScope | null;
  /** Questions that are still visible, newest last. */
  questions: string[];
}

@Injectable()
export class ExtractionRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memories: MemoryRepository,
  ) {}

  /** Queues turns for extraction, skipping those deleted in the meantime. */
  async add(turnIds: readonly number[]): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO chat.memory_turn (turn_id, thread_id)
      SELECT id, thread_id
      FROM chat.turn
      WHERE id = ANY($1::int[])
      ORDER BY id
      ON CONFLICT DO NOTHING`,
      [turnIds],
    );
  }

  /** Lists threads that have settled, with their newest turn that is due. */
  async listDue(limit: number): Promise<{ threadId: number; turnId: number }[]> {
    return queryRows<{ threadId: number; turnId: number }>(
      this.dataSource,
      `SELECT thread_id AS "threadId", max(turn_id) AS "turnId"
      FROM chat.memory_turn
      GROUP BY thread_id
      HAVING max(noted_at) < now() - make_interval(secs => $1)
        OR min(noted_at) < now() - make_interval(secs => $2)
        OR count(*) >= $3
      ORDER BY min(noted_at) LIMIT $4`,
      [quietSeconds, longestSeconds, maxTurns, limit],
    );
  }

  /** Finds the due turns up to this one; null if all were processed or deleted. */
  async find(threadId: number, turnId: number): Promise<DueTurns | null> {
    const rows = await queryRows<{
      id: number;
      workspace_id: number;
      question: string;
      is_shown: boolean;
      scope: WorkspaceScope | null;
    }>(
      this.dataSource,
      `
      SELECT turn.id, turn.workspace_id, left(turn.question, ${maxRead}) AS question,
        turn.active
          AND NOT turn.hidden
          AND turn.state = 'done'
          AND thread.deleted_at IS NULL AS is_shown,
        (SELECT generation.scope FROM chat.generation WHERE generation.turn_id = turn.id) AS scope
      FROM chat.memory_turn
      JOIN chat.turn ON turn.id = memory_turn.turn_id
      JOIN chat.thread ON thread.id = turn.thread_id
      WHERE memory_turn.thread_id = $1 AND memory_turn.turn_id <= $2
      ORDER BY turn.id`,
      [threadId, turnId],
    );
    const last = rows.at(-1);
    if (last === undefined) return null;
    return {
      ids: rows.map(({ id }) => id),
      workspaceId: last.workspace_id,
      scope: last.scope,
      questions: rows.filter((row) => row.is_shown).map(({ question }) => question),
    };
  }

  /**
   * Removes the turns from the queue and adds the memories found, in one transaction, so that a
   * retried job adds nothing twice. Skips known memories and those over the limit; replaces
   * nothing. Returns how many were added.
   */
  async settle(
    { ids, workspaceId }: Pick<DueTurns, "ids" | "workspaceId">,
    facts: readonly string[],
  ): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      // Reads the current owner: threads of single-user mode become an admin's. Deleting the turns
      // waits for this transaction and then sees the memories it added.
      const due = await queryRows<{ user_id: number | null }>(
        manager,
        `DELETE FROM chat.memory_turn USING chat.turn
        WHERE turn.id = memory_turn.turn_id AND turn.id = ANY($1::int[])
        RETURNING turn.user_id`,
        [ids],
      );
      if (due.length === 0 || facts.length === 0) return 0;
      const userId = due[0]!.user_id;
      const room = await this.memories.roomFor(manager, userId, workspaceId);
      const known = await queryRows<{ content: string }>(
        manager,
        `SELECT content FROM chat.memory
        WHERE coalesce(user_id, 0) = coalesce($1::int, 0) AND coalesce(workspace_id, 0) IN (0, $2)`,
        [userId, workspaceId],
      );
      const added = excludeKnown(
        facts,
        known.map(({ content }) => content),
      ).slice(0, Math.max(0, room));
      for (const content of added)
        await this.memories.create(manager, userId, workspaceId, content);
      return added.length;
    });
  }
}

/** Batches the writes of answers that end at about the same time. */
const writeEveryMs = 500;
/** Maximum number waiting on one replica; beyond that, they are dropped. */
const maxWaiting = 10_000;

/**
 * Records which memories an answer used and which turns to extract new ones from, off its critical
 * path; losing that with a replica does not affect the answer.
 */
@Injectable()
export class MemoryKeeper implements OnModuleDestroy {
  private readonly used = new Set<number>();
  private readonly turns = new Set<number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly memories: MemoryRepository,
    private readonly extraction: ExtractionRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await this.write();
  }

  /**
   * Takes the IDs of memories in an answer's prompt, and its turn if a model may extract from it
   * (else null). Returns at once.
   */
  keep(used: readonly number[], turnId: number | null): void {
    if (this.used.size + this.turns.size >= maxWaiting) return;
    for (const id of used) this.used.add(id);
    if (turnId !== null) this.turns.add(turnId);
    if (this.used.size + this.turns.size > 0)
      this.timer ??= setTimeout(() => void this.write(), writeEveryMs).unref();
  }

  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return (this.writing = this.writing
      .then(async () => {
        const used = [...this.used],
          turns = [...this.turns];
        this.used.clear();
        this.turns.clear();
        if (used.length > 0) await this.memories.noteUsed(used);
        if (turns.length > 0) await this.extraction.add(turns);
      })
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't record which memories were used"),
      ));
  }
}
