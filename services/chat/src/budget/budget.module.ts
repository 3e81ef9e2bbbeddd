import { Module } from "@nestjs/common";
import { ModelModule } from "../model/model.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { BudgetAnnouncer } from "./budget-announcer.ts";
import { BudgetEvents } from "./budget-events.ts";
import { BudgetHandler } from "./budget.handler.ts";
import { BudgetRepository } from "./budget.repository.ts";
import { Budgets } from "./budgets.ts";
import { MediaCalls } from "./media-calls.ts";
import { ModelCallHandler } from "./model-call.handler.ts";
import { ModelUseConsumer } from "./model-use.consumer.ts";
import { QuestionEstimates } from "./question-estimate.ts";

@Module({
  imports: [ModelModule, SettingModule, UsageModule],
  controllers: [BudgetHandler, ModelCallHandler],
  providers: [
    BudgetAnnouncer,
    BudgetEvents,
    BudgetRepository,
    Budgets,
    MediaCalls,
    ModelUseConsumer,
    QuestionEstimates,
  ],
  exports: [BudgetAnnouncer, Budgets, MediaCalls, QuestionEstimates],
})
export class BudgetModule {}
