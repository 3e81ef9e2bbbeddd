import { Module } from "@nestjs/common";
import { ModelModule } from "../model/model.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { BudgetAnnouncer } from "./budget-announcer.ts";
import { BudgetEvents } from "./budget-events.ts";
import { BudgetHandler } from "./budget.handler.ts";
import { BudgetRepository } from "./budget.repository.ts";
import { Budgets } from "./budgets.ts";
import { QuestionEstimates } from "./question-estimate.ts";

@Module({
  imports: [ModelModule, SettingModule],
  controllers: [BudgetHandler],
  providers: [BudgetAnnouncer, BudgetEvents, BudgetRepository, Budgets, QuestionEstimates],
  exports: [BudgetAnnouncer, Budgets, QuestionEstimates],
})
export class BudgetModule {}
