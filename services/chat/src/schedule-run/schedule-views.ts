import {
  findWorkspaces,
  type ListedScheduleWire,
  type Scope,
  type ScheduleWire,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { ScheduleWriter } from "../schedule/schedule-writer.ts";
import type { ListedSchedule, ScheduleRow } from "../schedule/schedule.repository.ts";
import { ScheduleRunRepository, type ScheduleRunRow } from "./schedule-run.repository.ts";

type ViewedRow = Omit<ScheduleRow, "work" | "approvals">;
type View = Omit<ScheduleWire, "work" | "approvals">;

/** Schedules as clients see them. */
@Injectable()
export class ScheduleViews {
  constructor(
    private readonly runs: ScheduleRunRepository,
    private readonly writer: ScheduleWriter,
    private readonly requests: RequestClient,
  ) {}

  async describe(scope: Scope, row: ScheduleRow): Promise<ScheduleWire> {
    const [listed] = await this.describeAll(scope, [row]);
    return { ...listed!, work: row.work, approvals: row.approvals };
  }

  async describeList(scope: Scope, rows: readonly ListedSchedule[]): Promise<ListedScheduleWire[]> {
    const described = await this.describeAll(scope, rows);
    return described.map((view, index) => ({ ...view, work: rows[index]!.work }));
  }

  /** One that has no run yet, in this workspace. */
  describeNew(scope: WorkspaceScope, row: ScheduleRow): ScheduleWire {
    const { work, approvals } = row;
    return { ...this.map(scope, row, scope.workspace.slug, undefined), work, approvals };
  }

  private async describeAll(scope: Scope, rows: readonly ViewedRow[]): Promise<View[]> {
    if (rows.length === 0) return [];
    const [last, { workspaces }] = await Promise.all([
      this.runs.listLast(rows.map(({ id }) => id)),
      this.requests.request(
        findWorkspaces,
        { ids: [...new Set(rows.map(({ workspaceId }) => workspaceId))] },
        { scope: { principal: scope.principal, workspace: null } },
      ),
    ]);
    const slugs = new Map(workspaces.map(({ id, slug }) => [id, slug]));
    return rows.map((row) =>
      this.map(scope, row, slugs.get(row.workspaceId) ?? null, last.get(row.id)),
    );
  }

  private map(
    scope: Scope,
    row: ViewedRow,
    workspaceSlug: string | null,
    last: ScheduleRunRow | undefined,
  ): View {
    const webhook = this.writer.openWebhook(row);
    return {
      id: row.id,
      name: row.name,
      ownerId: row.userId,
      workspaceId: row.workspaceId,
      workspaceSlug,
      timing: row.timing,
      missed: row.missed,
      delivery: {
        thread: row.thread,
        webhook: webhook === null ? null : showWebhook(scope, row, webhook),
        onlyWhenChanged: row.onlyWhenChanged,
      },
      isWebhookUnreadable: row.sealedWebhook !== null && webhook === null,
      active: row.active,
      pausedReason: row.pausedReason,
      nextAt: row.nextAt?.toISOString() ?? null,
      failures: row.failures,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      byAgent: row.byAgent,
      lastRun: mapLast(last),
    };
  }
}

/** Others see only where it goes: the rest of an address may be a secret. */
const showWebhook = (
  { principal }: Scope,
  { userId }: Pick<ViewedRow, "userId">,
  address: string,
): string => (principal.userId === userId ? address : new URL(address).origin);

const mapLast = (run: ScheduleRunRow | undefined): ScheduleWire["lastRun"] =>
  run === undefined
    ? null
    : {
        id: run.id,
        state: run.state,
        dueAt: run.dueAt.toISOString(),
        endedAt: run.endedAt?.toISOString() ?? null,
        threadSlug: run.threadSlug,
        deniedCount: run.denied.length,
      };
