import { Module } from "@nestjs/common";
import { CONFIG } from "@carrel/runtime";
import { BLOB_STORE, openBlobStore } from "@carrel/storage";
import { InspectionKeeper } from "../inspection/inspection-keeper.ts";
import { InspectionRepository } from "../inspection/inspection.repository.ts";
import { ExtractionRepository } from "../memory/extraction.repository.ts";
import { MemoryKeeper } from "../memory/memory-keeper.ts";
import { MemoryRepository } from "../memory/memory.repository.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { TurnBranches } from "../turn/turn-branches.ts";
import { TurnChanges } from "../turn/turn-changes.ts";
import { AttachmentImages } from "../attachment/attachment-images.ts";
import { AttachmentSweeper } from "../attachment/attachment-sweeper.ts";
import { EarlierSources } from "../retrieval/earlier-sources.ts";
import { GenerationHandler } from "./generation.handler.ts";
import { GenerationRepository } from "./generation.repository.ts";
import { GenerationTools } from "./generation-tools.ts";
import { GenerationRunner } from "./generation-runner.ts";
import { LanguageModels } from "../model/language-models.ts";
import { LapsedAnswers } from "./lapsed-answers.ts";
import { OrphanReconciler } from "../deletion/workspace-orphan.reconciler.ts";
import { PromptFitter } from "../prompt/prompt-fitter.ts";
import { QuoteFinder } from "../answer/quote-finder.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { TokenFactors } from "../model/token-factors.ts";
import { UserDeletedConsumer } from "../deletion/user-deleted.consumer.ts";
import { WorkspaceDeletedConsumer } from "../deletion/workspace-deleted.consumer.ts";

@Module({
  controllers: [GenerationHandler],
  providers: [
    { provide: BLOB_STORE, useFactory: openBlobStore, inject: [CONFIG] },
    AttachmentImages,
    AttachmentSweeper,
    EarlierSources,
    ExtractionRepository,
    ThreadRepository,
    GenerationRepository,
    GenerationRunner,
    GenerationTools,
    InspectionKeeper,
    InspectionRepository,
    LanguageModels,
    LapsedAnswers,
    MemoryKeeper,
    MemoryRepository,
    OrphanReconciler,
    PromptFitter,
    QuoteFinder,
    SettingsCache,
    TokenFactors,
    TurnBranches,
    TurnChanges,
    UserDeletedConsumer,
    WorkspaceDeletedConsumer,
  ],
  exports: [
    ExtractionRepository,
    InspectionRepository,
    LanguageModels,
    MemoryRepository,
    PromptFitter,
    SettingsCache,
    TokenFactors,
    TurnBranches,
    TurnChanges,
    GenerationRepository,
    GenerationRunner,
    ThreadRepository,
  ],
})
export class GenerationModule {}
