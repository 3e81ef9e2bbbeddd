import {
  chooseThreadModel,
  clearPromptHistory,
  countVectors,
  createVariable,
  deletePromptHistoryEntry,
  deleteVariable,
  getAnswerParameters,
  getDefaultSystemPrompt,
  getThreadModel,
  listPromptHistory,
  listVariables,
  listWorkspaceProviders,
  removeWorkspacePicture,
  setSuggestedMessages,
  setThreadParameters,
  updateVariable,
  updateWorkspace,
  uploadWorkspacePicture,
  type AnswerParameterState,
  type In,
  type Out,
  type ThreadModel,
  type WorkspaceWire,
} from "@carrel/contracts";
import type { FakeCall } from "./fake-call.ts";

type Choice = In<typeof chooseThreadModel>["choice"];
type Suggestion = { heading: string; message: string };
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** Workspace settings and prompt variables of the fake gateway. */
export class FakeWorkspaces {
  /** Bodies of mutating requests, in order. */
  sent: { method: string; path: string; body: Record<string, unknown> }[] = [];
  /** Rejects the next mutating call. */
  refuse: { status: number; message: string } | null = null;
  /** While set, changes wait for it. */
  held: Promise<void> | null = null;
  vectors: Record<string, number> = { "heat-pump-retrofit": 18_420 };
  history: Out<typeof listPromptHistory>["history"] = [
    {
      id: 3,
      workspaceId: 1,
      prompt: "You answer as an engineer for building services. Name the document for each figure.",
      modifiedBy: 1,
      modifiedAt: ago(90),
      user: { username: "mira_kowalska" },
    },
    {
      id: 2,
      workspaceId: 1,
      prompt: "Answer in two sentences.",
      modifiedBy: null,
      modifiedAt: ago(600),
      user: null,
    },
    {
      id: 1,
      workspaceId: 1,
      prompt: "Answer briefly.\n\nWhere figures are asked for, give a table.",
      modifiedBy: 2,
      modifiedAt: ago(9000),
      user: { username: "olu" },
    },
  ];
  variables: Out<typeof listVariables>["variables"] = [
    { key: "time", description: "Current time", type: "system", multiUserRequired: false },
    { key: "date", description: "Current date", type: "system", multiUserRequired: false },
    {
      key: "workspace.name",
      description: "Name of the current workspace",
      type: "workspace",
      multiUserRequired: false,
    },
    {
      id: 7,
      key: "company",
      value: "Harbour Housing",
      description: "Who we are",
      type: "static",
      userId: null,
    },
  ];
  ready: Out<typeof listWorkspaceProviders> = {
    instance: { provider: "ollama", model: "llama3.2" },
    providers: [
      { id: "extractive", name: "Quotes from your documents", model: null, models: [] },
      {
        id: "ollama",
        name: "Ollama",
        model: "llama3.2",
        models: [
          { id: "llama3.2", name: "Llama 3.2" },
          { id: "qwen3:8b", name: "Qwen 3 8B" },
        ],
      },
      { id: "openai", name: "OpenAI", model: "gpt-4.1-nano", models: [] },
    ],
  };
  /** Chosen models, by workspace and thread. */
  chosen: Record<string, Choice> = {};
  mayChoose = true;
  /** How answers are written; threads' own parameters by workspace and thread. */
  parameters: Pick<AnswerParameterState, "workspace" | "supports"> = {
    workspace: { maxTokens: null, topP: null, effort: null, temperature: null },
    supports: { maxTokens: true, temperature: true, topP: true, effort: true, systemPrompt: true },
  };
  threadParameters: Record<string, AnswerParameterState["thread"]> = {};
  /** Models that can't see images. */
  blind: string[] = [];
  private next = 20;
  constructor(
    private list: () => WorkspaceWire[],
    private suggest: (messages: Suggestion[]) => void,
  ) {}

  /** Returns true if it answered the call. */
  async handle(call: FakeCall): Promise<boolean> {
    const { method, path, body, query, json, reply, text } = call;
    if (path === "/system/prompt-variables" && method === "GET") {
      reply(listVariables, { variables: this.variables });
      return true;
    }
    if (path === "/system/default-system-prompt") {
      reply(getDefaultSystemPrompt, {
        success: true,
        defaultSystemPrompt:
          "Given the following conversation, relevant context, and a follow up question, reply with " +
          "an answer to the current question the user is asking.",
        saneDefaultSystemPrompt: "",
      });
      return true;
    }
    if (path === "/system/system-vectors") {
      reply(countVectors, { vectorCount: this.vectors[query.get("slug") ?? ""] ?? 0 });
      return true;
    }
    const [, slug = "", rest = ""] = /^\/workspace\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
    const workspace = this.list().find((each) => each.slug === slug);
    if (method === "GET" && rest === "prompt-history") {
      reply(listPromptHistory, { history: this.history });
      return true;
    }
    if (rest === "model") {
      const thread =
        (method === "PUT" ? (body.thread as string | null) : query.get("thread")) ?? "";
      if (method === "PUT") this.chosen[`${slug}/${thread}`] = body.choice as Choice;
      reply(
        method === "PUT" ? chooseThreadModel : getThreadModel,
        this.modelOf(this.chosen[`${slug}/${thread}`] ?? null, workspace),
      );
      return true;
    }
    if (rest === "parameters" || rest === "answer-parameters") {
      const thread =
        (method === "PUT" ? (body.thread as string | null) : query.get("thread")) ?? "";
      const address = `${slug}/${thread}`;
      if (method === "GET")
        reply(getAnswerParameters, {
          ...this.parameters,
          workspaceSupports: this.parameters.supports,
          thread: this.threadParameters[address] ?? {},
        });
      else {
        this.sent.push({ method, path, body });
        const changed = body.parameters as AnswerParameterState["thread"];
        if (rest === "parameters") this.threadParameters[address] = changed;
        else this.parameters.workspace = { ...this.parameters.workspace, ...changed };
        reply(setThreadParameters, { success: true });
      }
      return true;
    }
    if (method === "GET" && rest === "providers") {
      reply(listWorkspaceProviders, this.ready);
      return true;
    }
    const forgotten = /^\/workspace\/prompt-history\/(\d+)$/.exec(path)?.[1];
    const variable = /^\/system\/prompt-variables(?:\/(\d+))?$/.exec(path);
    const changes =
      forgotten !== undefined ||
      variable !== null ||
      (workspace &&
        ((method === "DELETE" &&
          ["", "reset-vector-db", "prompt-history", "remove-pfp"].includes(rest)) ||
          (method === "POST" && ["update", "suggested-messages", "upload-pfp"].includes(rest))));
    if (!changes) return false;
    this.sent.push({ method, path, body });
    await this.held;
    if (this.refuse) {
      const { status, message } = this.refuse;
      this.refuse = null;
      json({ success: false, error: message, message }, status);
      return true;
    }
    if (variable) return this.change(call, Number(variable[1]));
    if (forgotten) {
      this.history = this.history.filter((entry) => entry.id !== Number(forgotten));
      reply(deletePromptHistoryEntry, { success: true });
      return true;
    }
    if (!workspace) return false;
    if (rest === "update") {
      Object.assign(workspace, body);
      reply(updateWorkspace, { workspace, message: null });
      return true;
    }
    if (rest === "suggested-messages") {
      this.suggest(body.messages as Suggestion[]);
      reply(setSuggestedMessages, {
        success: true,
        message: "Suggested messages saved successfully.",
      });
      return true;
    }
    if (rest === "upload-pfp") {
      workspace.pfpFilename = `${workspace.id}-${call.raw.length}.webp`;
      reply(uploadWorkspacePicture, { message: "Profile picture uploaded successfully." });
      return true;
    }
    if (rest === "remove-pfp") {
      workspace.pfpFilename = null;
      reply(removeWorkspacePicture, { message: "Profile picture removed successfully." });
      return true;
    }
    if (rest === "prompt-history") {
      this.history = [];
      reply(clearPromptHistory, { success: true });
      return true;
    }
    if (rest === "reset-vector-db") {
      this.vectors[slug] = 0;
      text();
      return true;
    }
    const place = this.list().indexOf(workspace); // -1 if a test has removed it
    if (place !== -1) this.list().splice(place, 1);
    text();
    return true;
  }

  private modelOf(choice: Choice, workspace: WorkspaceWire | undefined): ThreadModel {
    const { instance, providers } = this.ready;
    const provider = choice?.provider ?? workspace?.chatProvider ?? instance.provider;
    const named = providers.find(({ id }) => id === provider);
    const model = choice?.model ?? workspace?.chatModel ?? named?.model ?? null;
    return {
      provider,
      providerName: named?.name ?? provider,
      model,
      seesImages: provider !== "extractive" && !this.blind.includes(model ?? ""),
      isOwnChoice: choice !== null,
      mayChoose: this.mayChoose,
    };
  }

  private change({ method, body, reply }: FakeCall, id: number): true {
    const fields = {
      key: String(body.key),
      value: String(body.value),
      description: String(body.description ?? ""),
    };
    if (method === "DELETE") this.variables = this.variables.filter((each) => each.id !== id);
    else if (method === "PUT")
      Object.assign(
        this.variables.find((each) => each.id === id)!,
        fields,
      );
    else this.variables.push({ id: (this.next += 1), ...fields, type: "static", userId: null });
    const variable = { id: this.next, ...fields, type: "static" as const, userId: null };
    if (method === "DELETE") reply(deleteVariable, { success: true });
    else reply(method === "PUT" ? updateVariable : createVariable, { success: true, variable });
    return true;
  }
}
