import { randomUUID } from "node:crypto";
import {
  eventLogged,
  type ApprovalDecision,
  type ApprovalRequest,
  type FormAnswer,
  type FormQuestion,
  type RunStep,
  type Scope,
} from "@carrel/contracts";
import { Outbox, eventMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { ToolError, type ApprovalDetail, type Tool } from "@carrel/skills";
import { translateCaption } from "@carrel/texts";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { AnswerTask } from "../answer/answerer.ts";
import type { ChatConfig } from "../chat.config.ts";
import { isPerson } from "../memory/memory.repository.ts";
import { SkillPermissionRepository } from "../skill-permission/skill-permission.repository.ts";
import { CallEnded } from "./call-ended.ts";
import { listHosts } from "./call-hosts.ts";
import { RunStepRepository, type StoredStep } from "./run-step.repository.ts";
import { StepReplies } from "./step-replies.ts";
import { approvalKey, findApproval, showDestination, showDetails, type RunTrust } from "./trust.ts";

type ToolStep = Extract<StoredStep, { kind: "tool" }>;
type Change = (part: Partial<RunStep>) => void;

/** Asks people whether a call may be made, and what agents want to know from them. */
@Injectable()
export class ApprovalDesk {
  private readonly waitMs: number;
  private readonly autoApproved: readonly string[];

  constructor(
    private readonly repository: RunStepRepository,
    private readonly replies: StepReplies,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly permissions: SkillPermissionRepository,
    @Inject(CONFIG) config: ChatConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.waitMs = config.CARREL_AGENT_WAIT_SECONDS * 1_000;
    this.autoApproved = config.AGENT_AUTO_APPROVED_SKILLS;
  }

  /** Logs a tool's fault that it should have described. */
  readonly reportUnknown = (error: unknown): void =>
    this.logger.error({ err: error }, "a tool failed");

  /** Returns once the call may be made. Throws CallEnded if it may not. */
  async admit(
    task: AnswerTask,
    row: ToolStep,
    tool: Tool,
    input: unknown,
    o: { trust: RunTrust & { approved: Set<string> }; rule?: string | undefined; change: Change },
  ): Promise<void> {
    if (o.rule === "forbid") throw denied("An admin doesn't allow this tool.", "tool.forbidden");
    const { destination, details } = describe(tool, input, task.scope.language);
    const reason = findApproval(tool, input, {
      trust: o.trust,
      rule: o.rule === "ask" ? "ask" : undefined,
      destination,
    });
    if (task.approvals !== null)
      return this.admitUnattended(task, row, tool, { destination, details, reason });
    if (reason === null) return;
    // Read only where it matters: most calls need no approval anyway.
    if (reason === "outside" && (await this.isWhitelisted(task, tool.skill))) return;
    if (!task.canAsk)
      throw denied(
        "This call needs a person's approval, and there is nobody to ask here.",
        "tool.needs-approval",
      );
    const approval: ApprovalRequest = row.result.step.approval ?? {
      reason,
      destination: destination === null ? null : showDestination(destination),
      details: showDetails(details),
      expiresAt: this.expiryFor(task),
      decision: null,
      canBeLasting: reason === "outside" && isPerson(task.scope.principal),
    };
    const key = approvalKey(tool.name, destination, input);
    // Another replica may have shown it, and the tool may send it elsewhere since.
    if ((row.result.approvalKey ?? key) !== key)
      throw new ToolError(
        "Where this call goes has changed since it was shown to the person, so it wasn't made.",
      );
    row.result = { ...row.result, approvalKey: key };
    await this.present(task, row, { state: "waiting", approval }, o.change);
    const reply = await this.wait(task, row, "decision", approval.expiresAt);
    const decision = reply?.decision ?? "timed-out";
    if (decision === "always" && approval.canBeLasting)
      await this.permissions.add(task.scope, this.dataSource.manager, tool.skill);
    if (decision === "run") o.trust.approved.add(key);
    const refusal = describeRefusal(decision);
    o.change({
      ...(refusal === null ? { state: "running" } : refusal.part),
      approval: { ...approval, decision },
    });
    await this.audit(task, "agent_call_decided", { ...ofCall(tool, destination), decision });
    if (refusal !== null) throw refusal;
  }

  /**
   * While nobody is there: what writes or sends, and what would need an approval, is made only if its
   * owner has approved it in advance, with this destination. The step shows what was denied.
   */
  private async admitUnattended(
    task: AnswerTask,
    row: ToolStep,
    tool: Tool,
    call: ReturnType<typeof describe> & { reason: ApprovalRequest["reason"] | null },
  ): Promise<void> {
    if (call.reason === null && tool.effect !== "write" && tool.effect !== "send") return;
    await this.requireApproval(task, tool, {
      ...call,
      logged: call.destination,
      message:
        "Nobody is there to approve this call, and it wasn't approved in advance, so it wasn't made.",
    });
  }

  /**
   * Whether the owner has approved a part of a call in advance; false if the run isn't unattended.
   * Throws CallEnded if they haven't.
   */
  async isApproved(
    task: AnswerTask,
    tool: Tool,
    part: Pick<ReturnType<typeof describe>, "details"> & { destination: string },
  ): Promise<boolean> {
    if (task.approvals === null) return false;
    await this.requireApproval(task, tool, {
      ...part,
      logged: /^https?:/.test(part.destination) ? part.destination : null,
      reason: null,
      message:
        "A part of this call needs an approval that wasn't given in advance, so it ended there.",
    });
    return true;
  }

  private async requireApproval(
    task: AnswerTask,
    tool: Tool,
    call: ReturnType<typeof describe> & { reason: ApprovalRequest["reason"] | null } & {
      message: string;
      logged: string | null;
    },
  ): Promise<void> {
    const destination = call.destination === null ? null : showDestination(call.destination);
    const isApproved = task.approvals!.some(
      (approval) => approval.tool === tool.name && approval.destination === destination,
    );
    await this.audit(task, "agent_call_decided", {
      ...ofCall(tool, call.logged),
      decision: isApproved ? "in-advance" : "denied",
    });
    if (isApproved) return;
    throw new CallEnded(call.message, {
      state: "denied",
      fault: { code: "tool.needs-approval" },
      approval: {
        reason: call.reason ?? "outside",
        destination,
        details: showDetails(call.details),
        expiresAt: new Date().toISOString(),
        decision: "denied",
        canBeLasting: false,
      },
    });
  }

  /** The answers in the order of the questions; null where the person skipped one or didn't reply. */
  async ask(
    task: AnswerTask,
    row: ToolStep,
    questions: FormQuestion[],
    change: Change,
  ): Promise<(FormAnswer | null)[]> {
    const skipped = questions.map(() => null);
    if (!task.canAsk) return skipped;
    const earlier = row.result.step.form;
    // A run that goes on asks the same again; a call may also ask something else.
    const isOpen =
      earlier?.answers === null && JSON.stringify(earlier.questions) === JSON.stringify(questions);
    const form: NonNullable<RunStep["form"]> = isOpen
      ? earlier
      : { questions, answers: null, expiresAt: this.expiryFor(task) };
    await this.present(task, row, { state: "waiting", form }, change, !isOpen);
    const reply = await this.wait(task, row, "answers", form.expiresAt);
    const answers = questions.map((_, index) => reply?.answers?.[index] ?? null);
    change({ state: "running", form: { ...form, answers } });
    return answers;
  }

  /**
   * Records a call that writes or sends: before it is made, because it may have an effect however it
   * ends, and its end.
   *
   * @param input null: unknown
   * @param outcome null: it is about to be made
   */
  async auditCall(
    task: AnswerTask,
    tool: Tool,
    input: unknown,
    outcome: RunStep["state"] | null,
  ): Promise<void> {
    if (tool.effect !== "write" && tool.effect !== "send") return;
    const call = ofCall(tool, input === null ? null : describe(tool, input, undefined).destination);
    if (outcome === null) await this.audit(task, "agent_call_made", call);
    else await this.audit(task, "agent_call_ended", { ...call, outcome });
  }

  private async isWhitelisted({ scope }: AnswerTask, skill: string): Promise<boolean> {
    if (this.autoApproved.includes(skill)) return true;
    return (await this.permissions.list(scope)).some((one) => one.skill === skill);
  }

  private expiryFor({ waitSeconds }: AnswerTask): string {
    const limit = waitSeconds === null ? this.waitMs : Math.min(waitSeconds * 1_000, this.waitMs);
    return new Date(Date.now() + limit).toISOString();
  }

  private async present(
    task: AnswerTask,
    row: ToolStep,
    part: Partial<RunStep>,
    change: Change,
    forgetsAnswers = false,
  ): Promise<void> {
    row.result = { ...row.result, step: { ...row.result.step, ...part } };
    await this.repository.update(task.turnId, row.position, row.result, { forgetsAnswers });
    change({});
  }

  private wait(
    task: AnswerTask,
    row: ToolStep,
    awaited: "decision" | "answers",
    expiresAt: string,
  ): ReturnType<StepReplies["wait"]> {
    return this.replies.wait({
      awaited,
      generationId: task.generationId,
      turnId: task.turnId,
      position: row.position,
      expiresAt: new Date(expiresAt),
      signal: task.signal,
    });
  }

  private async audit(
    { scope }: AnswerTask,
    event: string,
    metadata: Record<string, unknown>,
  ): Promise<void> {
    await this.outbox.add(
      this.dataSource.manager,
      eventMessage(eventLogged, {
        id: randomUUID(),
        event,
        userId: scope.principal.userId,
        metadata: { ...metadata, workspaceSlug: scope.workspace.slug },
        occurredAt: new Date().toISOString(),
      }),
    );
  }
}

const denied = (
  message: string,
  code: "tool.forbidden" | "tool.needs-approval" | "tool.approval-timed-out" | "tool.denied",
): CallEnded => new CallEnded(message, { state: "denied", fault: { code } });

/** Why a decision keeps a call from being made; null: it doesn't. */
function describeRefusal(decision: ApprovalDecision | "timed-out"): CallEnded | null {
  switch (decision) {
    case "timed-out":
      return denied("Nobody approved this call in time.", "tool.approval-timed-out");
    case "denied":
      return denied("The person denied this call.", "tool.denied");
    default:
      return null;
  }
}

/** The log has no text that people or models have written: of an address only its host. */
function ofCall(tool: Tool, destination: string | null): Record<string, unknown> {
  const hosts = destination === null ? [] : listHosts(tool, destination);
  return {
    skill: tool.skill,
    tool: tool.name,
    ...(hosts.length > 0 && { destination: hosts.join(" ") }),
  };
}

function describe(
  tool: Tool,
  input: unknown,
  language: Scope["language"],
): { destination: string | null; details: { label: string; value: string }[] } {
  if (tool.describe !== undefined) {
    const { destination, details } = tool.describe(input);
    return { destination, details: details.map(caption(tool.skill, language)) };
  }
  const addresses = tool.addresses?.(input) ?? [];
  const fields = typeof input === "object" && input !== null ? Object.entries(input) : [];
  return {
    destination: addresses.length === 0 ? null : addresses.join(" "),
    details: fields.map(([label, value]: [string, unknown]) => ({
      label,
      value: typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? ""),
    })),
  };
}

/** The labels of MCP servers, flows and plugins are names that are sent, too. */
const othersSkill = /^(?:mcp:|@@)/;
const caption =
  (skill: string, language: Scope["language"]) =>
  ({ label, value }: ApprovalDetail): ApprovalDetail => ({
    label: othersSkill.test(skill) ? label : translateCaption(label, skill, language),
    value,
  });
