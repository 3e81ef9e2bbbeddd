import { CarrelError, openSpeech, withoutReasoning, type In, type Out } from "@carrel/contracts";
import { toSpokenText } from "@carrel/contracts/spoken-text";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { BudgetModule } from "../budget/budget.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { TurnRepository } from "../turn/turn.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { Speaker, SpeechModels } from "./speaker.ts";

@Controller()
class SpeechHandler {
  constructor(
    private readonly turns: TurnRepository,
    private readonly speaker: Speaker,
  ) {}

  @Handle(openSpeech)
  async open(
    { chatId }: In<typeof openSpeech>,
    ctx: RequestContext,
  ): Promise<Out<typeof openSpeech>> {
    const scope = inWorkspace(ctx.scope);
    const turn = await this.turns.findOwn(scope, chatId);
    if (turn === null) throw new CarrelError("turn.not-found");
    const text = toSpokenText(withoutReasoning(turn.answer, turn.reasoning));
    return { speech: text === "" ? null : await this.speaker.open(text, scope) };
  }
}

@Module({
  imports: [BudgetModule, SettingModule, TurnModule],
  controllers: [SpeechHandler],
  providers: [Speaker, SpeechModels],
})
export class SpeechModule {}
