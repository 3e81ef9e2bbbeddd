import { Controller } from "@nestjs/common";
import {
  listTurns,
  readAllTurns,
  readHistory,
  renderFault,
  type In,
  type Out,
  type TurnWire,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { resolveThread } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { AllTurnsRepository } from "./all-turns.repository.ts";
import { HistoryRepository } from "./history.repository.ts";
import { TurnRepository, type PagedTurn } from "./turn.repository.ts";

@Controller()
export class TurnHandler {
  constructor(
    private readonly turns: TurnRepository,
    private readonly threads: ThreadRepository,
    private readonly histories: HistoryRepository,
    private readonly allTurns: AllTurnsRepository,
  ) {}

  @Handle(readHistory)
  readHistory(
    input: In<typeof readHistory>,
    ctx: RequestContext,
  ): Promise<Out<typeof readHistory>> {
    return this.histories.readPage(inWorkspace(ctx.scope), input);
  }

  @Handle(readAllTurns)
  readAll(input: In<typeof readAllTurns>, ctx: RequestContext): Promise<Out<typeof readAllTurns>> {
    return this.allTurns.page(inWorkspace(ctx.scope), input);
  }

  @Handle(listTurns)
  async page(input: In<typeof listTurns>, ctx: RequestContext): Promise<Out<typeof listTurns>> {
    const scope = inWorkspace(ctx.scope);
    const threadId = await resolveThread(
      this.threads,
      scope,
      input.thread === undefined || input.thread === "" || input.thread === "default"
        ? null
        : input.thread,
    );
    if (threadId === null) return { turns: [], hasMore: false };
    const { turns, hasMore } = await this.turns.page(
      scope,
      threadId,
      input.before ?? null,
      input.limit,
    );
    return { turns: turns.map(mapTurn), hasMore };
  }
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/**
 * If the attachments exceed this many characters in total, only names and types are sent: a page
 * holds many turns.
 */
const maxAttached = 60_000;

function mapTurn(turn: PagedTurn): TurnWire {
  const isLong =
    turn.attachments.reduce((sum, attachment) => sum + attachment.contentString.length, 0) >
    maxAttached;
  return {
    id: turn.id,
    question: turn.question,
    answer: turn.answer,
    ...(turn.reasoning.length > 0 && { reasoning: turn.reasoning }),
    sources: turn.sources,
    sentAt: seconds(turn.createdAt),
    state: turn.state,
    error: turn.fault === null ? turn.error : renderFault(turn.fault),
    fault: turn.fault,
    generationId: turn.generationId,
    mode: turn.mode,
    metrics: turn.metrics,
    refused: turn.refused,
    parentId: turn.parentId,
    siblings: turn.siblings,
    siblingQuestions: turn.siblingQuestions,
    attachments: isLong
      ? turn.attachments.map((attachment) => ({ ...attachment, contentString: "" }))
      : turn.attachments,
    ...(turn.mentions.length > 0 && { mentions: turn.mentions }),
    feedback: turn.feedback,
    feedbackReason: turn.feedbackReason,
    notices: [...turn.notices, ...turn.codedNotices],
  };
}
