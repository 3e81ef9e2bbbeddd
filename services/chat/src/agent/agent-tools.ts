import { defaultMaxQuestions, type AgentSettings, type FormQuestion } from "@carrel/contracts";
import {
  closeCodeInterpreter,
  createChartSkill,
  createCodeInterpreter,
  createDocumentSummarizer,
  createFilesSkill,
  createGmail,
  createGoogleCalendar,
  createRagMemory,
  createScheduledJobSkill,
  createSqlAgent,
  createWebBrowsing,
  createWebScraping,
  type DocumentSearchPort,
  type Tool,
} from "@carrel/skills";
import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { z } from "zod";
import type { AnswerTask } from "../answer/answerer.ts";
import { isPerson } from "../memory/memory.repository.ts";
import { QuestionSearch } from "../retrieval/question-search.ts";
import { AddedTools } from "./added-tools.ts";
import { AgentMemories } from "./agent-memories.ts";
import { GeneratedFiles } from "./generated-files.ts";
import { RunModels, type RunModel } from "./run-models.ts";
import { SkillReach } from "./skill-reach.ts";
import { WorkspaceDocuments } from "./workspace-documents.ts";

/** As many tools as vendors accept in one request. */
const maxTools = 120;

/** Lists the tools of a run: those of the skills that are on, then those that admins have added. */
@Injectable()
export class AgentTools implements OnApplicationShutdown {
  constructor(
    private readonly documents: WorkspaceDocuments,
    private readonly search: QuestionSearch,
    private readonly memories: AgentMemories,
    private readonly models: RunModels,
    private readonly files: GeneratedFiles,
    private readonly added: AddedTools,
    private readonly reach: SkillReach,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await closeCodeInterpreter();
  }

  async list(task: AnswerTask, settings: AgentSettings, model: RunModel): Promise<Tool[]> {
    const { scope } = task;
    const documents = this.documents.portOf(scope, task.places);
    const { content } = this.reach;
    const skills: Record<string, () => Tool[]> = {
      "rag-memory": () =>
        createRagMemory({
          documents,
          search: this.searchPort(task),
          memory:
            isPerson(scope.principal) && task.usesMemories ? this.memories.portOf(scope) : null,
        }),
      "document-summarizer": () =>
        createDocumentSummarizer({ documents, model: this.models.portOf(task, model) }),
      "web-scraping": () => createWebScraping({ content }),
      "web-browsing": () => createWebBrowsing({ ...settings.search, content }),
      "request-user-input": () =>
        task.canAsk ? [askTool(settings.maxQuestions || defaultMaxQuestions)] : [],
      "create-chart": () => createChartSkill() as Tool[],
      "code-interpreter": () =>
        createCodeInterpreter({
          files: { read: (name, signal) => documents.readFile(name, signal) },
        }),
      "create-files-agent": () => createFilesSkill(this.files.keeperOf(task.turnId)),
      "sql-agent": () =>
        settings.sqlConnections.length === 0
          ? []
          : createSqlAgent({ connections: settings.sqlConnections }),
      "filesystem-agent": () => this.reach.folderTools,
      "gmail-agent": () =>
        settings.gmail === null ? [] : createGmail(settings.gmail, { content }),
      "google-calendar-agent": () =>
        settings.calendar === null ? [] : createGoogleCalendar(settings.calendar, { content }),
      "create-scheduled-job": () => {
        const port = this.reach.schedules.portOf(scope);
        // One that could schedule others while nobody is there could go on forever.
        return port === null || task.approvals !== null ? [] : createScheduledJobSkill(port);
      },
      "outlook-agent": () => this.reach.outlookTools(settings.outlook),
    };
    const switches = new Map(Object.entries(task.toolSwitches));
    const own = Object.keys(skills)
      .filter((id) => switches.get(id) ?? settings.skills.includes(id))
      .filter((id) => settings.rules[id] !== "forbid")
      .flatMap((id) => skills[id]!())
      .filter(({ name }) => switches.get(name) ?? !settings.disabledTools.includes(name));
    const known = new Set(own.map(({ name }) => name));
    const added = await this.added.list(
      scope.principal,
      { content, model: this.models.portOf(task, model), search: this.searchPort(task) },
      (name) => known.has(name),
      (name) => switches.get(name) === true,
    );
    const others = added.filter(
      ({ name, skill }) =>
        (switches.get(skill) ?? switches.get(name)) !== false && settings.rules[skill] !== "forbid",
    );
    return [...own, ...others].slice(0, maxTools);
  }

  /** Searches as questions do, and tells the inspector. */
  private searchPort({ scope, draft, fullTexts, places }: AnswerTask): DocumentSearchPort {
    return {
      search: async ({ query, folder, types, from, to, limit }) => {
        const found = await this.search.search(scope, query, null, {
          topN: limit,
          excludeDocumentIds: fullTexts
            .filter(({ kind }) => kind === "pinned")
            .map(({ documentId }) => documentId),
          filter: {
            ...(places !== null && { places }),
            ...(folder !== undefined && { folders: [folder] }),
            ...(types !== undefined && { types }),
            ...(from !== undefined && { addedFrom: from }),
            ...(to !== undefined && { addedUntil: to }),
          },
        });
        draft.notes.searches.push(...found.traces);
        return found.passages;
      },
    };
  }
}

const question = z.object({
  question: z.string().min(1).max(500),
  type: z.enum(["text", "url", "number", "date", "email", "textarea", "choice"]).default("text"),
  options: z.array(z.string().max(200)).max(20).default([]).describe("For type choice."),
  severalAnswers: z.boolean().default(false),
});

function askTool(most: number): Tool {
  const input = z.object({ questions: z.array(question).min(1).max(most) });
  const tool: Tool<z.output<typeof input>> = {
    skill: "request-user-input",
    name: "ask-person",
    description: `Asks the person up to ${most} questions at once, if you can't go on without the answers. Don't ask for what you can find out.`,
    input,
    effect: "none",
    isUntrusted: false,
    isRepeatable: true,
    approval: "never",
    object: ({ questions }) => questions[0]!.question,
    run: async ({ questions }, call) => {
      const answers = await call.ask(questions.map(toFormQuestion));
      return {
        text: questions
          .map(({ question }, index) => {
            const answer = answers[index];
            return `${question}\n${answer == null ? "(not answered)" : [answer].flat().join(", ")}`;
          })
          .join("\n\n"),
      };
    },
  };
  return tool as Tool;
}

const toFormQuestion = (asked: z.output<typeof question>): FormQuestion =>
  asked.type === "choice" && asked.options.length > 0
    ? {
        kind: "choice",
        question: asked.question,
        options: asked.options,
        optionDescriptions: [],
        multiSelect: asked.severalAnswers,
        allowOther: true,
      }
    : {
        kind: "input",
        question: asked.question,
        inputType: asked.type === "choice" ? "text" : asked.type,
        placeholder: "",
      };
