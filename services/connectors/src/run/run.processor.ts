import { CarrelError, runConnection, type Fault, type JobPayload } from "@carrel/contracts";
import { Process, ProcessFailed, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { ConnectionRun } from "../connection/connection-run.entity.ts";
import { Connection } from "../connection/connection.entity.ts";
import { ConnectionRepository } from "../connection/connection.repository.ts";
import { RunItemsRepository } from "../connection/run-items.repository.ts";
import { RunRepository } from "../connection/run.repository.ts";
import type { Source } from "../connector/connector.ts";
import {
  isBusy,
  isSourceBusy,
  isWorthRetrying,
  toSourceFault,
  waitOf,
} from "../connector/source-fault.ts";
import { RunProgress } from "./run-progress.ts";
import { StaleDocuments } from "./stale-documents.ts";
import { TurnOpener, type OpenTurn } from "./turn-opener.ts";

/** Turns in a row that may be lost with their processes before the run fails. */
const maxLostTurns = 8;
/** How often in a row a source may ask to wait before the run fails. */
const maxWaits = 30;

/** Runs a connection's turns; one that was interrupted goes on where it was. */
@Injectable()
export class RunProcessor {
  constructor(
    private readonly dataSource: DataSource,
    private readonly connections: ConnectionRepository,
    private readonly runs: RunRepository,
    private readonly items: RunItemsRepository,
    private readonly turns: TurnOpener,
    private readonly stale: StaleDocuments,
    private readonly progress: RunProgress,
  ) {}

  // Turns wait most of the time; their items share the process's places.
  @Process(runConnection, { concurrency: 48 })
  async run({ runId, turn }: JobPayload<typeof runConnection>, context: JobContext): Promise<void> {
    const run = await this.runs.beginTurn(runId, turn);
    if (run === null) return;
    const connection = await this.dataSource.manager.findOneBy(Connection, {
      id: run.connectionId,
    });
    if (connection === null) return;
    try {
      if (run.lostTurns > maxLostTurns)
        throw new CarrelError("source.interrupted", { runs: maxLostTurns });
      await this.take(run, connection, context);
    } catch (error) {
      const fault = toSourceFault(error);
      if (isBusy(fault) && (await this.wait(run, connection, waitOf(fault), isSourceBusy(fault))))
        return;
      const isLast = context.attempt >= runConnection.attempts || !isWorthRetrying(fault);
      if (context.signal.aborted || !isLast) {
        await this.runs.giveUpTurn(run);
        throw error;
      }
      await this.end(
        run,
        connection,
        "failed",
        fault instanceof CarrelError ? fault.toFault() : { code: "request.failed" },
      );
      // Known faults are the outcome; anything else belongs in the log as well.
      if (!(fault instanceof CarrelError)) throw error;
    }
  }

  /** The job was lost with several processes: what it fetched meanwhile counts, so it goes on. */
  @ProcessFailed(runConnection)
  async replace({ runId, turn }: JobPayload<typeof runConnection>): Promise<void> {
    const run = await this.runs.find(runId);
    if (run?.endedAt === null && run.turn === turn) await this.runs.replaceTurn(run);
  }

  private async take(run: ConnectionRun, connection: Connection, context: JobContext) {
    const { signal } = context;
    // It has started: a source may take long before there is more to tell.
    this.progress.note(connection, run.id);
    const open = await this.turns.open(run, connection, signal, () =>
      this.progress.note(connection, run.id),
    );
    await open.turn.run();
    signal.throwIfAborted();
    await this.stale.remove(connection.id);
    await this.goOn(run, connection, open);
  }

  private async goOn(run: ConnectionRun, connection: Connection, open: OpenTurn) {
    const { turn, source, host } = open;
    const current = await this.runs.find(run.id);
    if (current?.state !== "running") return;
    if (turn.waitMs !== null) {
      if (await this.wait(run, connection, turn.waitMs, turn.isSourceBusy)) return;
      throw new CarrelError("source.kept-waiting", { host });
    }
    const { pending, dueInMs } = await this.items.countPending(run.id);
    const isWhole = isWholeRun(run, source);
    if (turn.isFull) {
      const limit = source.limits.maxDocuments;
      await this.items.skipPending(run.id, { code: "source.over-limit", params: { limit } });
      await this.dropLeft(run, connection);
      const isKnownWhole =
        current.isListed && pending === 0 && !current.isCut && !current.asksUnlisted;
      await this.settleGone(current, (connection.isChanged || isKnownWhole) && isWhole);
      return this.end(run, connection, "finished", null);
    }
    if (!current.isListed || pending > 0) return this.runs.endTurn(run, dueInMs);
    // Single items don't tell whether other settings would lead to them.
    const asksUnlisted = isWhole && current.asksUnlisted && !connection.isChanged;
    if (asksUnlisted && (await this.items.requeueUnlisted(current)) > 0)
      return this.runs.endTurn(run, 0);
    return this.finish(current, connection, source);
  }

  /** Goes on once the source allows it; false if it has asked to wait too often. */
  private async wait(
    run: ConnectionRun,
    connection: Connection,
    waitMs: number,
    isCounted: boolean,
  ): Promise<boolean> {
    const current = await this.runs.find(run.id);
    if (current === null || (isCounted && current.waits >= maxWaits)) return false;
    await this.runs.endTurn(run, waitMs, { isWaiting: true, isCounted });
    await this.progress.report(connection, run.id);
    return true;
  }

  /** Everything the source listed is done. */
  private async finish(run: ConnectionRun, connection: Connection, source: Source) {
    const isWhole = isWholeRun(run, source);
    const isEmpty = isWhole && run.found === 0;
    // A source may answer like this while it is down, but not from one run to the next.
    if (isEmpty && (run.isCut || !(await this.runs.repeatsNothingFound(run))))
      return this.end(run, connection, "failed", { code: "source.nothing-found" });
    // What wasn't recorded can't be told from what is gone.
    const kept = await this.dropLeft(run, connection);
    await this.settleGone(run, (connection.isChanged || !run.isCut) && isWhole);
    await this.end(run, connection, "finished", findNote(run, source, kept), run.mark);
  }

  /**
   * Removes documents whose items now lead elsewhere, unless there are so many that the source is
   * rather down. Returns how many were kept.
   */
  private async dropLeft(run: ConnectionRun, { isChanged }: Connection): Promise<number> {
    const kept = await this.items.dropLeft(run, isChanged);
    await this.stale.remove(run.connectionId);
    return kept;
  }

  /** What other settings led to isn't part of the source any more, however much was left out. */
  private async settleGone(run: ConnectionRun, isComplete: boolean): Promise<void> {
    await this.items.settleGone(run, isComplete);
    await this.stale.remove(run.connectionId);
    await this.stale.noteKept(run.connectionId);
  }

  private async end(
    run: ConnectionRun,
    connection: Connection,
    state: "finished" | "failed",
    fault: Fault | null,
    mark: string | null = null,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Whoever starts a run locks its connection first, too.
      if (!(await this.connections.lockIfThere(connection.id, manager))) return;
      const isEnded = await this.runs.end(manager, run.id, state, fault);
      // However much of it was left out: only the first import takes other settings for the reason.
      const isSettled = state === "finished" && connection.isChanged && !run.isRetry;
      if (isEnded && (isSettled || mark !== null))
        await this.connections.update(
          connection.id,
          { ...(isSettled && { isChanged: false }), ...(mark !== null && { mark }) },
          manager,
        );
      await this.connections.settleOnce(manager, connection);
    });
    await this.progress.report(connection, run.id);
  }
}

/** Whether it lists everything, instead of what changed or failed. */
const isWholeRun = ({ isRetry, since }: ConnectionRun, { changes }: Source): boolean =>
  !isRetry && (since === null || changes === undefined);

/** What a run says that is through; `kept`: documents whose items lead elsewhere. */
function findNote(run: ConnectionRun, source: Source, kept: number): Fault | null {
  const limit = source.limits.maxItems;
  if (run.isCut && run.found >= limit) return { code: "source.too-many-items", params: { limit } };
  if (kept > 0) return { code: "source.seems-down", params: { count: kept } };
  if (run.asksUnlisted) return { code: "source.listed-in-part" };
  return isWholeRun(run, source) && run.found === 0 ? { code: "source.nothing-found" } : null;
}
