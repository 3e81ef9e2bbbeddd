import { CarrelError, inspectTurn, tryRetrieval, type In, type Out } from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { stripNullCharacters } from "../database/null-character.ts";
import { MemoryModule } from "../memory/memory.module.ts";
import { ModelModule } from "../model/model.module.ts";
import { PromptModule } from "../prompt/prompt.module.ts";
import { FullTextReader } from "../retrieval/full-texts.ts";
import { QuestionSearch } from "../retrieval/question-search.ts";
import { RetrievalModule } from "../retrieval/retrieval.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { InspectionKeeper } from "./inspection-keeper.ts";
import { buildRecord } from "./inspection-record.ts";
import { InspectionRepository } from "./inspection.repository.ts";
import { PromptPreview } from "./prompt-preview.ts";
import { readInspection } from "./read-inspection.ts";
import { emptyNotes, offerPieces } from "./run-notes.ts";

/** Maximum number of candidates a trial shows. */
const shownCandidates = 100;
/** Maximum number of full-text characters a trial reads. */
const maximumCharacters = 1_000_000;
/** The contract's limit. */
const maximumExcluded = 2_000;

/**
 * Shows what a question would find and how much of it would fit into the prompt, without answering
 * it.
 */
@Controller()
class RetrievalTrialHandler {
  constructor(
    private readonly questionSearch: QuestionSearch,
    private readonly fullTexts: FullTextReader,
    private readonly preview: PromptPreview,
    private readonly settings: SettingsCache,
    private readonly requests: RequestClient,
  ) {}

  @Handle(tryRetrieval)
  async try(
    input: In<typeof tryRetrieval>,
    ctx: RequestContext,
  ): Promise<Out<typeof tryRetrieval>> {
    const scope = inWorkspace(ctx.scope);
    const question = stripNullCharacters(input.question).trim();
    const previousQuestion = stripNullCharacters(input.previousQuestion ?? "").trim() || null;
    if (question === "") throw new CarrelError("chat.question-missing");
    const workspace = await this.settings.getWorkspace(scope);
    const { topN, similarityThreshold, rerank } = input;
    const texts = await this.fullTexts.list(scope, null, maximumCharacters, ctx.signal);
    const found = await this.questionSearch.search(scope, question, previousQuestion, {
      ...(topN !== undefined && { topN }),
      ...(similarityThreshold !== undefined && { similarityThreshold }),
      ...(rerank !== undefined && { rerank }),
      mode: input.mode,
      filter: input.filter,
      expansion: input.expansion,
      trace: shownCandidates,
      excludeDocumentIds: texts.map((text) => text.documentId).slice(0, maximumExcluded),
    });
    const offered = offerPieces(texts, found.passages);
    const { model, prompt } = await this.preview.fit(scope, offered, question, ctx.signal);
    const notes = { ...emptyNotes(), searches: found.traces, offered, prompt };
    const record = buildRecord(notes, {
      mode: workspace.chatMode,
      provider: null,
      model,
      sources: offered.flatMap(({ source }) => source ?? []),
      reported: null,
    });
    return {
      inspection: await readInspection(this.requests, scope, record, { question, at: new Date() }),
    };
  }
}

@Controller()
class InspectionHandler {
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

@Module({
  imports: [MemoryModule, ModelModule, PromptModule, RetrievalModule, SettingModule],
  controllers: [InspectionHandler, RetrievalTrialHandler],
  providers: [InspectionKeeper, InspectionRepository, PromptPreview],
  exports: [InspectionKeeper],
})
export class InspectionModule {}
