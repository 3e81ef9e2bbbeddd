import { clipText, type FlowRunQuestion, type KnownFault } from "@carrel/contracts";
import {
  admissionQuestion,
  listRequests,
  titleOf,
  toolFault,
  type BlockPlace,
  type FlowRequest,
} from "@carrel/skills";
import { findReached, storable, type DeniedFlowCall, type FlowRunRow } from "./flow-run-row.ts";

/** The tool of a flow's requests in approvals in advance. */
const toolOf = (flowId: string): string => `@@flow_${flowId}`;
/** The tool of blocks that ask for an approval. */
const approvalTool = "carrel-approval";
/** Characters of a question's details. */
const longestDetails = 100_000;
/** Of a denied call, in its record. */
const longestDenied = 1_000;

/** A turn ends because a person must answer first. */
export class RunSuspended extends Error {
  override readonly name = "RunSuspended";

  constructor(readonly question: FlowRunQuestion) {
    super("The run waits for an answer");
  }
}

type Asking = Pick<
  FlowRunRow,
  | "flowId"
  | "name"
  | "steps"
  | "reached"
  | "inputs"
  | "trigger"
  | "approvals"
  | "question"
  | "answers"
>;

/** What a run may do, and what its owner must be asked. */
export class FlowRunConsent {
  /** Origins that the person saw before the run, or that the flow's author chose. */
  private readonly planned: ReadonlySet<string | null>;
  /** What nobody had approved in advance, which ended the run. */
  denied: DeniedFlowCall | null = null;

  constructor(
    private readonly run: Asking,
    private readonly waitMs: number,
  ) {
    const find = (id: string) => findReached(run, id)?.steps ?? null;
    // Inputs of an earlier run may be somebody else's.
    const inputs = run.trigger === "manual" ? run.inputs : {};
    this.planned = new Set(
      run.approvals === null
        ? listRequests(run.steps, inputs, find).map(({ origin }) => origin)
        : [],
    );
  }

  /** Whether a request may be made. Throws RunSuspended, or ToolError if nobody can be asked. */
  readonly admit = async (
    { title, method, url, body }: FlowRequest,
    { path }: BlockPlace,
  ): Promise<boolean> => {
    const { flowId, name, approvals } = this.run;
    const { origin: destination } = url;
    if (approvals !== null) {
      const tool = toolOf(flowId);
      if (this.isApproved(tool, destination)) return true;
      const text = [`${method} ${url.href}`, ...(body === null ? [] : [body])].join("\n\n");
      throw this.deny(
        { tool, destination, details: [{ label: title, value: text }] },
        { code: "flow.request-not-approved", params: { block: title, destination } },
      );
    }
    if (this.planned.has(destination)) return true;
    return this.ask({
      path,
      kind: "request",
      block: title,
      question: admissionQuestion(name, { title, method, url }),
      details: `${method} ${url.href}`,
      destination,
    });
  };

  /** Whether the person agrees. Throws like `admit`. */
  readonly approve = async (
    question: string,
    details: string,
    { path, step }: BlockPlace,
  ): Promise<boolean> => {
    const block = titleOf(step);
    if (this.run.approvals !== null) {
      const { id = null } = step;
      if (id !== null && this.isApproved(approvalTool, id)) return true;
      const value = [question, details].filter(Boolean).join("\n\n");
      throw this.deny(
        // Without an ID, nothing could approve it.
        id === null
          ? null
          : { tool: approvalTool, destination: id, details: [{ label: block, value }] },
        { code: "flow.approval-missing", params: { block } },
      );
    }
    return this.ask({ path, kind: "approval", block, question, details, destination: null });
  };

  private isApproved(tool: string, destination: string): boolean {
    return (this.run.approvals ?? []).some(
      (each) => each.tool === tool && each.destination === destination,
    );
  }

  private deny(call: DeniedFlowCall | null, fault: KnownFault): Error {
    this.denied = call && {
      ...call,
      details: call.details.map(({ label, value }) => ({
        label: storable(label),
        value: clipText(storable(value), longestDenied),
      })),
    };
    return toolFault(fault);
  }

  private async ask(asked: Omit<FlowRunQuestion, "expiresAt">): Promise<boolean> {
    const { answers, question } = this.run;
    const { path, destination } = asked;
    const answer = answers.find(
      (each) =>
        each.destination === destination &&
        (each.path === path || (destination !== null && each.decision === "run")),
    );
    if (answer !== undefined) return answer.decision !== "denied";
    const isAsked = question?.path === path && question.destination === destination;
    if (isAsked && Date.parse(question.expiresAt) <= Date.now()) return false;
    throw new RunSuspended({
      ...asked,
      block: storable(asked.block),
      question: storable(asked.question),
      details: storable(asked.details).slice(0, longestDetails),
      expiresAt: isAsked ? question.expiresAt : new Date(Date.now() + this.waitMs).toISOString(),
    });
  }
}
