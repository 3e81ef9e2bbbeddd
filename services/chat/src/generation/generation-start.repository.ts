import { randomUUID } from "node:crypto";
import { developerKeyOf, type ThreadParameters } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { queryEarlyRows, StatementBatches, type EarlyRows } from "@carrel/database";
import { resultKey, type RequestContext } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { retryDeadlock } from "../database/in-transaction.ts";
import { hasNullCharacter } from "../database/null-character.ts";
import { readThreadModelChoice } from "../model/thread-model-choice.ts";
import { conversationValues } from "../thread/conversation.ts";
import { toHistory, type StoredHistoryTurn } from "../turn/turn.repository.ts";
import type { NewQuestion } from "./pending-turns.ts";
import { leaseSeconds, Replica } from "./replica.ts";
import type { RunnableGeneration } from "./runnable-generation.ts";
import { startInConversation, startInDefaultThread, startInThread } from "./start-statements.ts";

export interface StartedGeneration {
  generation: RunnableGeneration;
  isRunning: boolean;
  /** Resolves once the question is durable; rejects if it was not written. */
  committed: Promise<void>;
}

/** A question as a row of the statement. */
interface AskedRow {
  key: string;
  generationId: string;
  asked: NewQuestion;
  mayRun: boolean;
  historyLimit: number;
}
interface StartedRow {
  generation_id: string;
  thread_id: number;
  turn_id: number;
  running: boolean;
  chat_provider: string | null;
  chat_model: string | null;
  answer_parameters: ThreadParameters | null;
  history: StoredHistoryTurn[] | null;
}
type Written = (StartedRow & { committed: Promise<void> }) | null;

/**
 * Starts generations in the default case: one more question in an existing thread, or any in a
 * conversation outside the app.
 */
@Injectable()
export class GenerationStartRepository {
  private readonly inThreads = this.batch("start in thread", startInThread);
  private readonly inDefaultThreads = this.batch("start in default thread", startInDefaultThread);
  private readonly inConversations = this.batch("start in conversation", startInConversation);

  constructor(
    private readonly dataSource: DataSource,
    private readonly replica: Replica,
  ) {}

  /**
   * Writes the request's result, the question, its turn and its generation, and reads the history,
   * in one statement with other questions asked at about the same time. Returns before the commit
   * is durable. Returns null, having written nothing, if the request is a duplicate, the thread is
   * missing, a budget is used up, or another transaction is changing the thread.
   *
   * @param mayRun whether this replica has a free slot; otherwise the question is queued
   */
  async start(
    ctx: RequestContext,
    asked: NewQuestion,
    { mayRun, historyLimit }: { mayRun: boolean; historyLimit: number },
  ): Promise<StartedGeneration | null> {
    if (asked.threadSlug !== null && hasNullCharacter(asked.threadSlug)) return null;
    const id = randomUUID();
    const row = await this.batchesFor(asked).add({
      key: resultKey(ctx),
      generationId: id,
      asked,
      mayRun,
      historyLimit,
    });
    if (row === null) return null;
    return {
      generation: {
        id,
        turnId: row.turn_id,
        threadId: row.thread_id,
        channel: asked.conversation?.channel ?? null,
        scope: asked.scope,
        overrides: asked.overrides,
        requestedMode: asked.requestedMode,
        modelChoice: readThreadModelChoice(row),
        parameters: row.answer_parameters,
        question: asked.question,
        attachments: asked.attachments,
        timeZone: asked.timeZone,
        locale: asked.locale,
        notices: [],
        search: null,
        fullTexts: null,
        history: row.history?.map(toHistory) ?? null,
      },
      isRunning: row.running,
      committed: row.committed,
    };
  }

  private batchesFor({
    threadSlug,
    conversation,
  }: NewQuestion): StatementBatches<AskedRow, Written> {
    if (conversation !== null) return this.inConversations;
    return threadSlug === null ? this.inDefaultThreads : this.inThreads;
  }

  private batch(name: string, sql: string): StatementBatches<AskedRow, Written> {
    return new StatementBatches<AskedRow, Written>({
      // One question per thread: the statement doesn't see its own.
      keyOf: ({ asked: { scope, threadSlug, conversation } }) =>
        conversation === null
          ? `${scope.workspace.id} ${threadSlug ?? scope.principal.userId}`
          : JSON.stringify([scope.workspace.id, ...conversationValues(conversation)]),
      run: async (rows) => {
        const { rows: started, committed } = await retryDeadlock(() => this.write(name, sql, rows));
        const byId = new Map(started.map((row) => [row.generation_id, row]));
        return {
          outputs: rows.map(({ generationId }) => {
            const row = byId.get(generationId);
            return row === undefined ? null : { ...row, committed };
          }),
          finished: committed,
        };
      },
    });
  }

  private write(
    name: string,
    sql: string,
    rows: readonly AskedRow[],
  ): Promise<EarlyRows<StartedRow>> {
    const column = <T>(read: (asked: NewQuestion, row: AskedRow) => T): T[] =>
      rows.map((row) => read(row.asked, row));
    return queryEarlyRows<StartedRow>(this.dataSource, name, sql, [
      this.replica.id,
      leaseSeconds,
      column((_, { key }) => key),
      column(({ scope }) => scope.workspace.id),
      column(({ scope }) => scope.principal.userId),
      column(({ threadSlug }) => threadSlug),
      column((_, { generationId }) => generationId),
      column(({ question }) => question),
      column(({ attachments }) => JSON.stringify(attachments)),
      column(({ requestedMode }) => requestedMode),
      column((_, { mayRun }) => mayRun),
      column(({ scope }) => JSON.stringify(scope)),
      column(({ timeZone }) => timeZone),
      column(({ locale }) => locale),
      column((_, { historyLimit }) => historyLimit),
      column(({ scope }) => developerKeyOf(scope.principal)),
      column(({ estimate }) => estimate.tokens),
      column(({ estimate }) => estimate.micros),
      column(({ estimate }) => estimate.isFree),
      column(({ overrides }) => (overrides === null ? null : JSON.stringify(overrides))),
      column(({ conversation }) => conversationValues(conversation)[0]),
      column(({ conversation }) => conversationValues(conversation)[1]),
      column(({ conversation }) => conversationValues(conversation)[2]),
    ]);
  }
}
