import { setImmediate as nextTask } from "node:timers/promises";
import {
  quotingProvider,
  suggestQuestions,
  type In,
  type Out,
  type Passage,
  type Scope,
} from "@carrel/contracts";
import { knownLanguage, type Language } from "@carrel/contracts/languages";
import { Handle, type RequestContext } from "@carrel/messaging";
import { findKeyTerm, writtenLanguage } from "@carrel/retrieval";
import { findTexts } from "@carrel/texts";
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

/**
 * Languages whose questions are asked in words. In others, these words would count as part of the
 * subject, so that nothing answers them; a form without words works in any.
 */
const asksInWords: readonly Language[] = [
  "en",
  "ar",
  "da",
  "de",
  "es",
  "fr",
  "he",
  "it",
  "nl",
  "pt",
  "vi",
  "zh",
];

/** In the document's language; Chinese in the characters that the person reads. */
function askAbout(values: { about: string; title: string }, text: string, scope: Scope): string {
  const written = knownLanguage(writtenLanguage(text));
  if (written === null || !asksInWords.includes(written))
    return `${values.title}: ${values.about}?`;
  const isTaiwanese = written === "zh" && scope.language === "zh-tw";
  return findTexts(isTaiwanese ? "zh-tw" : written)("questionAbout", values);
}

/**
 * Candidate questions from headings, or from the term a document without headings uses most; the
 * first of each document come first. They may have no answer: try them out.
 */
function listCandidateQuestions(passages: readonly Passage[], scope: Scope): CandidateQuestion[] {
  const documents = [...Map.groupBy(passages, ({ documentId }) => documentId).values()];
  const perDocument = documents.map((own) => {
    const title = own[0]!.title.replace(/\.[a-z0-9]{1,5}$/i, "");
    const text = own.map((passage) => passage.text).join("\n");
    const subjects = [
      ...new Set(own.flatMap(({ headingPath }) => subjectOf(headingPath.at(-1)) ?? [])),
    ].filter((subject) => subject.toLowerCase() !== title.toLowerCase());
    const term = subjects.length === 0 ? findKeyTerm(own.map(({ text }) => text)) : null;
    return [...subjects, ...(term === null ? [] : [term])]
      .slice(0, maxPerDocument)
      .map((about) => ({
        question: askAbout({ about, title }, text, scope),
        title,
        passages: own,
      }));
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
      scope,
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
