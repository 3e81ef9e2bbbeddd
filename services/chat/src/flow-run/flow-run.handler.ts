import { randomUUID } from "node:crypto";
import {
  answerFlowRun,
  cancelFlowRun,
  CarrelError,
  clipText,
  cursorTime,
  flowRunsPerPage,
  getFlowRun,
  listFlowRuns,
  readCursor,
  readFlowRunProgress,
  readFlowRunResult,
  rerunFlow,
  startFlowRun,
  writeCursor,
  type In,
  type Out,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { FlowRunBlockRepository } from "./flow-run-block.repository.ts";
import type { FlowRunRow } from "./flow-run-row.ts";
import { FlowRunView, showBlocks, showOutput, showQuestion } from "./flow-run-view.ts";
import { FlowRunRepository } from "./flow-run.repository.ts";
import { FlowRuns } from "./flow-runs.ts";
import { isOfKey } from "./flow-trigger.repository.ts";

/** Blocks per reply of a run's progress. */
const mostChanges = 100;
/** UTF-16 units of a result per reply, which has at most 1 MB. */
const longestPiece = 150_000;

/** What people and programs do with runs. */
@Controller()
export class FlowRunHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: FlowRunRepository,
    private readonly blocks: FlowRunBlockRepository,
    private readonly flowRuns: FlowRuns,
    private readonly view: FlowRunView,
  ) {}

  @Handle(startFlowRun)
  start(
    { id: flowId, inputs }: In<typeof startFlowRun>,
    ctx: RequestContext,
  ): Promise<Out<typeof startFlowRun>> {
    const { principal, workspace } = ctx.scope;
    return keyed(this.dataSource, ctx, async (manager) => {
      const id = randomUUID();
      await this.flowRuns.startAs(manager, ctx.scope, {
        id,
        flowId,
        inputs,
        trigger: "manual",
        ownerId: principal.userId,
        workspaceId: workspace?.id ?? null,
        approvals: null,
      });
      return { id };
    });
  }

  @Handle(rerunFlow)
  async again(
    { id: earlier, from }: In<typeof rerunFlow>,
    ctx: RequestContext,
  ): Promise<Out<typeof rerunFlow>> {
    const run = await this.find(ctx.scope, earlier);
    return keyed(this.dataSource, ctx, async (manager) => {
      const id = randomUUID();
      await this.flowRuns.startAgain(manager, ctx.scope, run, { id, keep: from === "end" });
      return { id };
    });
  }

  @Handle(listFlowRuns)
  async list(
    { flowId, state, trigger, after }: In<typeof listFlowRuns>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listFlowRuns>> {
    const rows = await this.runs.list({
      ownerId: seesAll(scope.principal) ? undefined : scope.principal.userId,
      flowId: flowId ?? null,
      state: state ?? null,
      trigger: trigger ?? null,
      after: after === undefined ? null : readPosition(after),
    });
    const page = rows.slice(0, flowRunsPerPage);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    return {
      runs: await this.view.summarize(page),
      next: last === undefined ? null : writeCursor([last.createdAt.toISOString(), last.id]),
    };
  }

  @Handle(getFlowRun)
  async get(
    { id }: In<typeof getFlowRun>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getFlowRun>> {
    return this.view.show(await this.find(scope, id));
  }

  /** Blocks that the run didn't reach look like those of a missing run. */
  @Handle(readFlowRunResult)
  async readResult(
    { id, path, from }: In<typeof readFlowRunResult>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readFlowRunResult>> {
    await this.find(scope, id);
    const result = await this.blocks.readResult(id, path);
    if (result === null) throw new CarrelError("flow.run-not-found");
    const text = clipText(result.slice(from), longestPiece);
    const next = from + text.length;
    return { text, next: next < result.length ? next : null };
  }

  @Handle(readFlowRunProgress)
  async readProgress(
    { id, after }: In<typeof readFlowRunProgress>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readFlowRunProgress>> {
    // Before its blocks: all of them were recorded when it had ended.
    const { state, question, output, fault } = await this.find(scope, id);
    const blocks = await this.blocks.listSince(id, after, mostChanges);
    return {
      // Further blocks come first.
      state: blocks.length < mostChanges ? state : "running",
      question: question && showQuestion(question),
      output: showOutput(output),
      fault,
      blocks: showBlocks(blocks),
      position: blocks.at(-1)?.revision ?? after,
    };
  }

  @Handle(cancelFlowRun)
  async cancel(
    { id }: In<typeof cancelFlowRun>,
    { scope }: RequestContext,
  ): Promise<Out<typeof cancelFlowRun>> {
    return { success: await this.flowRuns.cancel(await this.find(scope, id)) };
  }

  /** Only the person whose rights the run has. */
  @Handle(answerFlowRun)
  async answer(
    { id, path, decision }: In<typeof answerFlowRun>,
    { scope }: RequestContext,
  ): Promise<Out<typeof answerFlowRun>> {
    const run = await this.find(scope, id);
    if (run.ownerId !== scope.principal.userId) throw new CarrelError("flow.run-not-found");
    const destination = run.question?.destination ?? null;
    const success = await this.runs.answer(run, { path, destination, decision });
    return { success };
  }

  /** Runs of others look like missing ones. */
  private async find({ principal }: Scope, id: string): Promise<FlowRunRow> {
    const run = await this.runs.find(id);
    if (run === null || !mayRead(principal, run)) throw new CarrelError("flow.run-not-found");
    return run;
  }
}

const seesAll = ({ kind, role }: Principal): boolean =>
  role === "admin" && (kind === "user" || kind === "instance");

/** A key sees what keys have started, in its workspaces. */
const mayRead = (principal: Principal, { ownerId, trigger, workspaceId }: FlowRunRow): boolean => {
  if (principal.kind === "key") return trigger === "api" && isOfKey(principal, workspaceId);
  if (seesAll(principal)) return true;
  return principal.kind === "user" && ownerId !== null && ownerId === principal.userId;
};

const position = z.tuple([cursorTime, z.uuid()]);

/** Throws CarrelError for what isn't a page's `next`. */
function readPosition(after: string): { createdAt: Date; id: string } {
  const [createdAt, id] = readCursor(position, after);
  return { createdAt: new Date(createdAt), id };
}
