import { Controller } from "@nestjs/common";
import { CarrelError, inspectTurn, type In, type Out } from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { inWorkspace } from "../workspace-scope.ts";
import { InspectionRepository } from "./inspection.repository.ts";
import { readInspection } from "./read-inspection.ts";

@Controller()
export class InspectionHandler {
  constructor(
    private readonly inspections: InspectionRepository,
    private readonly requests: RequestClient,
  ) {}

  @Handle(inspectTurn)
  async inspect(
    { chatId }: In<typeof inspectTurn>,
    ctx: RequestContext,
  ): Promise<Out<typeof inspectTurn>> {
    const scope = inWorkspace(ctx.scope);
    const turn = await this.inspections.findOwn(scope, chatId);
    if (turn === null) throw new CarrelError("turn.not-found");
    return {
      inspection:
        turn.record === null ? null : await readInspection(this.requests, scope, turn.record, turn),
    };
  }
}
