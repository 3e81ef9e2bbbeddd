import type { AdvanceApproval, ChatMode, ModelChoice, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { QuestionEstimates } from "../budget/question-estimate.ts";
import { readAgentCall } from "./agent-call.ts";
import { GenerationRunner } from "./generation-runner.ts";
import { PendingTurns, type PendingTurn } from "./pending-turns.ts";

/** A question that is asked while nobody is there. */
export interface UnattendedQuestion {
  /** So that a repeated start can't ask it twice. */
  generationId: string;
  scope: WorkspaceScope;
  threadSlug: string;
  message: string;
  /** null: the workspace's. */
  mode: ChatMode | null;
  model: ModelChoice | null;
  timeZone: string;
  approvals: AdvanceApproval[];
}

/** Asks questions of people who aren't there, within the limits that they have. */
@Injectable()
export class UnattendedStarts {
  constructor(
    private readonly pendingTurns: PendingTurns,
    private readonly estimates: QuestionEstimates,
    private readonly runner: GenerationRunner,
  ) {}

  /**
   * Writes the question, which then waits for a replica. Throws RefusedError if a daily limit or a
   * budget refuses it: then the transaction must be rolled back.
   */
  async write(manager: EntityManager, asked: UnattendedQuestion): Promise<PendingTurn> {
    const { scope, model } = asked;
    const { agentCall, question } = readAgentCall(asked.message);
    return this.pendingTurns.add(manager, {
      generationId: asked.generationId,
      scope,
      threadSlug: asked.threadSlug,
      conversation: null,
      question,
      agentCall,
      attachments: [],
      replaces: null,
      fromStep: null,
      requestedMode: agentCall === "" ? asked.mode : "automatic",
      overrides: {
        asksPerson: false,
        approvals: asked.approvals,
        ...(model !== null && { modelChoice: model }),
      },
      timeZone: asked.timeZone,
      locale: null,
      estimate: await this.estimates.estimate(scope, question),
      // People's own questions take the free places first.
      mayRun: false,
      historyLimit: null,
    });
  }

  /** Call after the commit. */
  begin({ generation }: PendingTurn): void {
    this.runner.begin(generation, false);
  }
}
