import { setImmediate as nextTask } from "node:timers/promises";
import { quotingProvider, suggestQuestions, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { AttachmentModule } from "../attachment/attachment.module.ts";
import { chooseProvider } from "../model/language-models.ts";
import { ModelModule } from "../model/model.module.ts";
import { PromptModule } from "../prompt/prompt.module.ts";
import { QuestionSearch } from "../retrieval/question-search.ts";
import { RetrievalModule } from "../retrieval/retrieval.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { AnswerMaterials } from "./answer-materials.ts";
import { Answerers } from "./answerers.ts";
import { FallbackAnswerers } from "./fallback-answerer.ts";
import { quotedOverview } from "./quote-answerer.ts";
import { QuoteFinder } from "./quote-finder.ts";
import { listCandidateQuestions } from "./suggest-questions.ts";

const maxQuestions = 3;
/** Candidates to try out: a few ms each. */
const maxTried = 12;

@Controller()
class SuggestedQuestionHandler {
  constructor(
    private readonly settings: SettingsCache,
    private readonly questionSearch: QuestionSearch,
    private readonly quotes: QuoteFinder,
  ) {}

  /** Suggests only questions that the built-in answerer answers. */
  @Handle(suggestQuestions)
  async list(
    _input: In<typeof suggestQuestions>,
    context: RequestContext,
  ): Promise<Out<typeof suggestQuestions>> {
    const scope = inWorkspace(context.scope);
    const [workspace, instance] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
    ]);
    if (chooseProvider(workspace, instance.values).provider !== quotingProvider)
      return { hasModel: true, questions: [] };
    const questions: Out<typeof suggestQuestions>["questions"] = [];
    const candidates = listCandidateQuestions(
      await this.questionSearch.listLead(scope, quotedOverview),
    );
    for (const { question, title, passages } of candidates.slice(0, maxTried)) {
      // Other requests take turns with the candidates.
      await nextTask();
      const { kind } = await this.quotes.find(
        {
          question,
          fullTexts: [],
          readings: [{ context: null, passages, searched: [] }],
          passages,
          threshold: workspace.similarityThreshold,
        },
        context.signal,
      );
      if (kind === "answer") questions.push({ question, title });
      if (questions.length === maxQuestions) break;
    }
    return { hasModel: false, questions };
  }
}

@Module({
  imports: [AttachmentModule, ModelModule, PromptModule, RetrievalModule, SettingModule],
  controllers: [SuggestedQuestionHandler],
  providers: [AnswerMaterials, Answerers, FallbackAnswerers, QuoteFinder],
  exports: [Answerers],
})
export class AnswerModule {}
