import { Controller } from "@nestjs/common";
import { listTurns, readAllTurns, readHistory, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { resolveThread } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { AllTurnsRepository } from "./all-turns.repository.ts";
import { HistoryRepository } from "./history.repository.ts";
import { mapTurn } from "./turn.mapper.ts";
import { TurnRepository } from "./turn.repository.ts";

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
