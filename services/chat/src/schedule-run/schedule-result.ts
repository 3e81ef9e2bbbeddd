import { createHash } from "node:crypto";
import {
  clipText,
  withoutReasoning,
  type RunStep,
  type ScheduleRunWire,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import type { ScheduleRow } from "../schedule/schedule.repository.ts";
import { ThreadChanges } from "../thread/thread-changes.ts";
import { TrashRepository } from "../trash/trash.repository.ts";
import { TurnBranches, TurnChanges } from "../turn/turn-branches.ts";
import type { RunAnswer, ScheduleRunRow } from "./schedule-run.repository.ts";
import { ScheduleThreads } from "./schedule-thread.ts";

/** The most UTF-16 units of a result that a run keeps. */
export const longestResult = 200_000;
/** Of a detail of a denied call. */
const longestDetail = 1_000;
const mostDetails = 20;
/** Denied calls that a run lists. */
const mostDenied = 100;

/** What a run says, without what only its thread needs. */
export const readResult = ({
  answer,
  reasoning,
}: Pick<RunAnswer, "answer" | "reasoning">): string =>
  clipText(withoutReasoning(answer, reasoning), longestResult);

const citation = /\s?\[\d+(?:,\s*\d+)*\]/g;
/** Equal for results that say the same: numbers of sources, spaces and line breaks don't count. */
export const hashResult = (text: string): string =>
  createHash("sha256")
    .update(text.normalize("NFKC").replace(citation, "").replace(/\s+/g, " ").trim())
    .digest("hex");

/** The calls that were denied because nobody had approved them in advance. */
export const listDenied = (steps: readonly RunStep[] | null): ScheduleRunRow["denied"] =>
  (steps ?? [])
    .filter(({ state, fault }) => state === "denied" && fault?.code === "tool.needs-approval")
    .slice(0, mostDenied)
    .map(({ tool, approval }) => ({
      tool,
      destination: approval?.destination ?? null,
      details: (approval?.details ?? []).slice(0, mostDetails).map(({ label, value }) => ({
        label,
        value: clipText(value, longestDetail),
      })),
    }));

type Delivery = Pick<ScheduleRunWire, "threadSlug">;
type Announcement = () => void;

/** Puts results where their owner reads them, or takes them away. */
@Injectable()
export class ScheduleResults {
  constructor(
    private readonly trash: TrashRepository,
    private readonly branches: TurnBranches,
    private readonly threadChanges: ThreadChanges,
    private readonly turnChanges: TurnChanges,
    private readonly threads: ScheduleThreads,
  ) {}

  /** Adds a result that isn't in a thread yet. Call `announce` after the commit. */
  async add(
    manager: EntityManager,
    scope: WorkspaceScope,
    schedule: ScheduleRow,
    turn: { question: string; answer: string },
  ): Promise<{ threadId: number; threadSlug: string; announce: Announcement }> {
    const thread = await this.threads.open(manager, scope, schedule);
    await this.threads.add(manager, scope, { ...turn, thread, scheduleId: schedule.id });
    const { id: threadId, slug: threadSlug, isNew } = thread;
    return {
      threadId,
      threadSlug,
      announce: isNew
        ? this.announce(scope, "created", { threadSlug })
        : () => this.turnChanges.announce(scope, threadId),
    };
  }

  /** Shows the thread of a result that was archived until now. Call what it returns after the commit. */
  async show(
    manager: EntityManager,
    { scope, threadId, threadSlug }: RunAnswer,
  ): Promise<Announcement> {
    await manager.query(
      "UPDATE chat.thread SET archived_at = NULL, last_updated_at = now() WHERE id = $1",
      [threadId],
    );
    return this.announce(scope, "created", { threadSlug });
  }

  /**
   * Removes a result that isn't delivered: its thread, or its turn if the thread has others. Call what
   * it returns after the commit.
   */
  async remove(
    manager: EntityManager,
    { scope, threadId, threadSlug, turnId, turnCount }: RunAnswer,
  ): Promise<Announcement> {
    if (turnCount > 1) {
      await this.branches.lock(manager, [threadId]);
      await this.branches.delete(manager, scope, threadId, [turnId]);
      return () => this.turnChanges.announce(scope, threadId);
    }
    await this.trash.deleteForGood(manager, scope, [threadId]);
    return this.announce(scope, "deleted", { threadSlug });
  }

  private announce(
    scope: WorkspaceScope,
    change: "created" | "deleted",
    { threadSlug }: Delivery,
  ): Announcement {
    return () =>
      this.threadChanges.announce(scope, change, threadSlug === null ? [] : [threadSlug]);
  }
}
