import type {
  AdvanceApproval,
  DeniedCall,
  FaultWire,
  FlowRunBlock,
  FlowRunDecision,
  FlowRunQuestion,
  FlowRunState,
  FlowRunTrigger,
  FlowStep,
} from "@carrel/contracts";

/** A flow as a run uses it. */
export interface FlowSnapshot {
  name: string;
  version: number;
  steps: FlowStep[];
  /**
   * The flows that it runs, by ID. A copy, like the blocks: results are recorded under where a block
   * is, so each attempt must run the same blocks.
   */
  reached: Record<string, { name: string; steps: FlowStep[] }>;
}

/** What the owner said to a question. */
export interface FlowRunAnswer {
  path: string;
  /** The origin, for a request. */
  destination: string | null;
  decision: FlowRunDecision;
}

export interface NewFlowRun {
  id: string;
  flowId: string;
  inputs: Record<string, string>;
  /** The body of a webhook. */
  payload?: unknown;
  trigger: FlowRunTrigger;
  /** null: the one person of an instance without accounts. */
  ownerId: number | null;
  workspaceId: number | null;
  /** null: the owner is there to ask. */
  approvals: AdvanceApproval[] | null;
}

/** What a run would have done, had its owner approved it in advance. */
export type DeniedFlowCall = Omit<DeniedCall, "isAllowed">;

export interface FlowRunRow extends NewFlowRun, FlowSnapshot {
  state: FlowRunState;
  turn: number;
  lost: number;
  question: FlowRunQuestion | null;
  answers: FlowRunAnswer[];
  output: string | null;
  fault: FaultWire | null;
  /** What ended it; null unless it ran unattended. */
  denied: DeniedFlowCall | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

export interface FlowRunBlockRow extends Omit<FlowRunBlock, "isCut"> {
  /** Whether its whole result is kept. */
  isKept: boolean;
  /** Increases with each change of a run. */
  revision: number;
}

/** A flow that it runs; objects have names such as `constructor`, too. */
export const findReached = (
  { reached }: Pick<FlowSnapshot, "reached">,
  id: string,
): FlowSnapshot["reached"][string] | null => (Object.hasOwn(reached, id) ? reached[id]! : null);

/** PostgreSQL's texts can't hold a NUL or half a character. */
export const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();
