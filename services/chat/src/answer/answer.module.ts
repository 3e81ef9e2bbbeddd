import { setImmediate as nextTask } from "node:timers/promises";
import {
  quotingProvider,
  suggestQuestions,
  type In,
  type Out,
  type Passage,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { detectLanguage, findKeyTerm } from "@carrel/retrieval";
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

/** A question, and the passages of the document that should answer it. */
interface CandidateQuestion {
  question: string;
  title: string;
  passages: Passage[];
}

const heading = { least: 4, most: 80 };
/** Candidates per document, each of which is tried out. */
const maxPerDocument = 3;
/** Headings that say nothing about what is under them. */
const generic =
  /^(?:introduction|contents|table of contents|abstract|summary|overview|conclusions?|references|appendix|notes?|einleitung|inhalt|zusammenfassung|fazit|anhang|sommaire|conclusiones|sheet ?\d+|(?:chapter|kapitel|part|section|page) \d+)$/i;

/** Questions in the document's language; others use a form that works in any. */
const templates: Record<string, (about: string, title: string) => string> = {
  en: (about, title) => `What does “${title}” say about ${about}?`,
  de: (about, title) => `Was steht in „${title}“ über ${about}?`,
  fr: (about, title) => `Que dit « ${title} » sur ${about} ?`,
  es: (about, title) => `¿Qué dice «${title}» sobre ${about}?`,
  it: (about, title) => `Che cosa dice «${title}» su ${about}?`,
  pt: (about, title) => `O que diz «${title}» sobre ${about}?`,
  nl: (about, title) => `Wat zegt „${title}” over ${about}?`,
};
const anyLanguage = (about: string, title: string): string => `${title}: ${about}?`;

/**
 * Candidate questions from headings, or from the term a document without headings uses most; the
 * first of each document come first. They may have no answer: try them out.
 */
function listCandidateQuestions(passages: readonly Passage[]): CandidateQuestion[] {
  const documents = [...Map.groupBy(passages, ({ documentId }) => documentId).values()];
  const perDocument = documents.map((own) => {
    const title = own[0]!.title.replace(/\.[a-z0-9]{1,5}$/i, "");
    const ask =
      templates[detectLanguage(own.map(({ text }) => text).join("\n")) ?? ""] ?? anyLanguage;
    const subjects = [
      ...new Set(own.flatMap(({ headingPath }) => subjectOf(headingPath.at(-1)) ?? [])),
    ].filter((subject) => subject.toLowerCase() !== title.toLowerCase());
    const term = subjects.length === 0 ? findKeyTerm(own.map(({ text }) => text)) : null;
    return [...subjects, ...(term === null ? [] : [term])]
      .slice(0, maxPerDocument)
      .map((about) => ({ question: ask(about, title), title, passages: own }));
  });
  return Array.from({ length: maxPerDocument }, (_, place) =>
    perDocument.flatMap((candidates) => candidates[place] ?? []),
  ).flat();
}

/** The heading without its number; null if it isn't a subject. */
function subjectOf(written: string | undefined): string | null {
  const subject = (written ?? "").replace(/^[\d.\s)§]+/, "").replace(/[\s:.]+$/, "");
  return subject.length < heading.least ||
    subject.length > heading.most ||
    generic.test(subject) ||
    !/\p{L}{3}/u.test(subject) ||
    /[?!]/.test(subject)
    ? null
    : subject;
}

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
