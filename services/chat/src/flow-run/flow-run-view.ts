import {
  findWorkspaces,
  servicePrincipal,
  type FlowRunBlock,
  type FlowRunQuestion,
  type FlowRunSummary,
  type FlowRunWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { ReplyRoom } from "../flow/reply-room.ts";
import { FlowRunBlockRepository } from "./flow-run-block.repository.ts";
import type { FlowRunBlockRow, FlowRunRow } from "./flow-run-row.ts";
import { canContinue, type ListedFlowRun } from "./flow-run.repository.ts";
import { nameOwners } from "./owner-names.ts";

const longestOutput = 50_000;
/** UTF-16 units of a block's result in a list. */
const longestResult = 2_000;
const mostCited = 500;
/* Replies have at most 1 MB. */
const mostBytesOfBlocks = 500_000;
const mostBytesOfOthers = 150_000;
const asService = { scope: { principal: servicePrincipal, workspace: null } };

/** Runs as people see them. */
@Injectable()
export class FlowRunView {
  constructor(
    private readonly requests: RequestClient,
    private readonly blocks: FlowRunBlockRepository,
  ) {}

  async show(run: FlowRunRow): Promise<FlowRunWire> {
    const cited = listCited(run.output ?? "");
    const [[summary], { blocks, count }, sources] = await Promise.all([
      this.summarize([run]),
      this.blocks.list(run.id),
      cited.length === 0 ? [] : this.blocks.listSources(run.id, cited),
    ]);
    return {
      ...summary!,
      inputs: clipInputs(run.inputs),
      output: showOutput(run.output),
      sources,
      question: run.question && showQuestion(run.question),
      blocks: showBlocks(blocks),
      blockCount: count,
      canContinue: canContinue(run),
    };
  }

  async summarize(runs: readonly ListedFlowRun[]): Promise<FlowRunSummary[]> {
    const workspaceIds = [...new Set(runs.flatMap(({ workspaceId }) => workspaceId ?? []))];
    const [ownerOf, { workspaces }] = await Promise.all([
      nameOwners(
        this.requests,
        runs.map(({ ownerId }) => ownerId),
      ),
      workspaceIds.length === 0
        ? { workspaces: [] }
        : this.requests.request(findWorkspaces, { ids: workspaceIds }, asService),
    ]);
    const places = new Map(workspaces.map((workspace) => [workspace.id, workspace]));
    return runs.map(({ ownerId, workspaceId, createdAt, startedAt, endedAt, ...run }) => ({
      id: run.id,
      flowId: run.flowId,
      name: run.name,
      version: run.version,
      trigger: run.trigger,
      state: run.state,
      fault: run.fault,
      owner: ownerOf(ownerId),
      workspace: workspaceId === null ? null : (places.get(workspaceId) ?? null),
      createdAt: createdAt.toISOString(),
      startedAt: startedAt?.toISOString() ?? null,
      endedAt: endedAt?.toISOString() ?? null,
    }));
  }
}

/** The numbers in a text such as "Within three days [2, 5]." */
const listCited = (output: string): number[] => [
  ...new Set(
    [...output.matchAll(/\[(\d{1,5}(?:,\s*\d{1,5})*)\]/g)]
      .flatMap(([, numbers]) => numbers!.split(",").map(Number))
      .slice(0, mostCited),
  ),
];

/** What blocks did, as far as it fits into a reply. */
export function showBlocks(rows: readonly FlowRunBlockRow[]): FlowRunBlock[] {
  const room = new ReplyRoom(mostBytesOfBlocks);
  return rows.map(({ revision: _, isKept, ...block }) => {
    const result = room.clip(block.result, longestResult);
    return { ...block, result, isCut: isKept && result.length < block.result.length };
  });
}

export const showOutput = (output: string | null): string | null =>
  output === null ? null : new ReplyRoom(mostBytesOfOthers).clip(output, longestOutput);

/** Its details are of any length. */
export function showQuestion(asked: FlowRunQuestion): FlowRunQuestion {
  const room = new ReplyRoom(mostBytesOfOthers);
  const question = room.clip(asked.question);
  return { ...asked, question, details: room.clip(asked.details) };
}

/** The start of each value, which may be as long as a document. */
function clipInputs(inputs: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(inputs);
  const room = new ReplyRoom(mostBytesOfOthers);
  const each = Math.min(20_000, Math.floor(100_000 / Math.max(1, entries.length)));
  return Object.fromEntries(entries.map(([name, value]) => [name, room.clip(value, each)]));
}
