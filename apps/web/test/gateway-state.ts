import type { ServerResponse } from "node:http";
import type {
  AllowedModels,
  ChangeFrame,
  GenerationFrame,
  MarkedThread,
  getMemberRights,
  getPasswordRules,
  getSearchState,
  MetricsWire,
  Out,
  ProviderDeclaration,
  SourceWire,
  TurnWire,
  WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { FakeAccounts } from "./fake-accounts.ts";
import { FakeAdmin } from "./fake-admin.ts";
import { FakeAgents } from "./fake-agents.ts";
import { FakeChat } from "./fake-chat.ts";
import { FakeConnections } from "./fake-connections.ts";
import { FakeCredentials } from "./fake-credentials.ts";
import { documents, markdownAnswer, sources, threadWire, workspaceWire } from "./fake-data.ts";
import { FakeFallbacks } from "./fake-fallbacks.ts";
import { FakeFlowRuns } from "./fake-flow-runs.ts";
import { FakeFlowTriggers } from "./fake-flow-triggers.ts";
import { FakeFlows } from "./fake-flows.ts";
import { FakeHubCalls } from "./fake-hub.ts";
import { FakeIndex } from "./fake-index.ts";
import { FakeInspection } from "./fake-inspection.ts";
import { FakeLibrary } from "./fake-library.ts";
import { FakeLocalModels } from "./fake-local-models.ts";
import { FakeMcpServers } from "./fake-mcp-servers.ts";
import { FakeMemories } from "./fake-memories.ts";
import { FakeNotices } from "./fake-notices.ts";
import { FakePlugins } from "./fake-plugins.ts";
import { FakeRecordedChats } from "./fake-recorded-chats.ts";
import { FakeSchedules } from "./fake-schedules.ts";
import { FakeShares } from "./fake-shares.ts";
import { FakeShell } from "./fake-shell.ts";
import { FakeSteps, type Running, type ScriptPart } from "./fake-steps.ts";
import type { FakeThinking } from "./fake-thinking.ts";
import { FakeUsage } from "./fake-usage.ts";
import { FakeVersions } from "./fake-versions.ts";
import { FakeWatches } from "./fake-watches.ts";
import { FakeWebhooks } from "./fake-webhooks.ts";
import { FakeWidgets } from "./fake-widgets.ts";
import { FakeWorkspaces } from "./fake-workspaces.ts";
import type { FakeOriginal } from "./originals.ts";

type MemberRights = Out<typeof getMemberRights>;

/** The fake gateway's state, which tests set up and inspect. */
export class GatewayState {
  accounts = new FakeAccounts();
  admin = new FakeAdmin(
    this.accounts,
    () => this.change({ type: "access.changed" }),
    () => this.change({ type: "branding.changed" }),
  );
  password: string | null = null;
  workspaces = [
    workspaceWire(1, "Heat-pump retrofit", "heat-pump-retrofit"),
    workspaceWire(2, "Tenant handbook", "tenant-handbook"),
    workspaceWire(3, "Supplier contracts", "supplier-contracts"),
  ];
  threads: Record<string, ReturnType<typeof threadWire>[]> = {
    "heat-pump-retrofit": [
      threadWire(11, "Flow temperature, blocks", "flow"),
      threadWire(12, "Night tariff operation", "night"),
      threadWire(13, "Noise in the courtyards", "noise"),
    ],
  };
  turns: Record<string, TurnWire[]> = {};
  chat = new FakeChat({
    turns: this.turns,
    threads: this.threads,
    addThread: (slug, name) => this.addThread(slug, name),
  });
  shell = new FakeShell(() => this.threads);
  workspaceSettings = new FakeWorkspaces(
    () => this.workspaces,
    (messages) => {
      this.chat.suggestions = messages;
    },
  );
  index = new FakeIndex();
  inspection = new FakeInspection();
  agents = new FakeAgents();
  credentials = new FakeCredentials();
  flows = new FakeFlows();
  plugins = new FakePlugins();
  schedules = new FakeSchedules((scheduleId) =>
    this.change({ type: "schedule.changed", scheduleId }),
  );
  flowRuns = new FakeFlowRuns();
  flowTriggers = new FakeFlowTriggers();
  localModels = new FakeLocalModels();
  memories = new FakeMemories();
  notices = new FakeNotices();
  documents: Record<string, WorkspaceDocumentStatus[]> = { "heat-pump-retrofit": documents() };
  library = new FakeLibrary(
    () => this.workspaces,
    (slug) => (this.documents[slug] ??= []),
    () => {
      this.change({ type: "library.changed" });
      for (const workspace of this.workspaces)
        this.change({ type: "workspace-documents.changed", workspaceId: workspace.id });
    },
  );
  settings: Record<string, unknown> = {};
  passwordRules: Out<typeof getPasswordRules> = {
    shortest: 8,
    longest: 250,
    lowercase: 0,
    uppercase: 0,
    digits: 0,
    symbols: 0,
    needed: 0,
  };
  /** What admins allow members. */
  memberRights: MemberRights = { rights: [], choosesModels: false, ownWorkspaces: [] };
  /** Null: semantic search covers every document. */
  searchState: Out<typeof getSearchState> | null = null;
  /** Whether the instance still has to be set up. */
  isNew = false;
  survey: { address: string | null; isRefused: boolean; sent: unknown[] } = {
    address: "https://survey.example.com/carrel",
    isRefused: false,
    sent: [],
  };
  /** Default threads, by workspace; only of workspaces in which they have questions. */
  defaultThreads: Record<string, Omit<MarkedThread, "slug" | "name"> & { name: string | null }> =
    {};
  /** The models that people may choose, by provider. */
  allowedModels: AllowedModels = {};
  /** Providers besides those of `fake-providers.ts`, which they replace if they have the same id. */
  furtherProviders: ProviderDeclaration[] = [];
  shares = new FakeShares(() => this.settings);
  usage = new FakeUsage();
  versions = new FakeVersions();
  mcp = new FakeMcpServers();
  webhooks = new FakeWebhooks();
  hub = new FakeHubCalls();
  connections = new FakeConnections();
  watches = new FakeWatches(() => Object.values(this.documents).flat());
  widgets = new FakeWidgets(() => this.workspaces);
  recordedChats = new FakeRecordedChats();
  fallbacks = new FakeFallbacks(() => this.workspaceSettings.ready);
  /** Cuts the next stream after this many frames, like a dropped connection. */
  cutAfter: number | null = null;
  /** Milliseconds between frames. */
  pace = 15;
  /** Latency of every answer in milliseconds: half before the request takes effect, half after. */
  late = 0;
  /** Characters of an answer per frame. */
  partLength = 12;
  /** While set, answers pause after this many frames, so that a test can inspect them. */
  heldAfter: number | null = null;
  answer = markdownAnswer;
  sources: SourceWire[] = sources();
  /** Metrics of the next answers; null: those of a model. */
  metrics: MetricsWire | null = null;
  failWith: { status: number } | { abort: string } | null = null;
  pdf: Buffer | null = null;
  /** How many of the next requests for originals are refused, as after a minute. */
  expiredAddresses = 0;
  /** Originals in other formats, by the document's id. */
  originals: Record<string, FakeOriginal> = {};
  requests: { method: string; path: string; lastEventId: string | null }[] = [];
  asked: Record<string, unknown>[] = [];
  /** What the model thinks before it answers; null: nothing. */
  thinking: FakeThinking | null = null;
  /** What the next answers consist of, instead of `answer`: text and steps, in order. */
  script: ScriptPart[] | null = null;
  /** Frames after the stages, before the text. */
  extraFrames: GenerationFrame[] = [];
  /**
   * The answer comes as one frame: `animated` does not close, so the app shows it as if it were
   * streamed.
   */
  whole: "animated" | "at once" | null = null;
  /** While set, no request gets a reply, as when the server is down. */
  isDown = false;
  /** Accepts the next question, but drops its connection before confirming it. */
  dropsQuestion = false;
  /** While set, new connections to the change stream wait for it. */
  changesHeld: Promise<void> | null = null;
  /** While set, requests for earlier turns wait for it. */
  earlierHeld: Promise<void> | null = null;
  readonly running = new Map<string, Running>();
  readonly steps = new FakeSteps((id) => this.running.get(id));
  protected readonly changes = new Set<ServerResponse>();
  private changeLog: ChangeFrame[] = [];
  private logs = 1;
  readonly progress = new Set<ServerResponse>();
  private lastChat = 100;

  /** Frames of the last answer sent so far. */
  get written(): number {
    return [...this.running.values()].at(-1)?.frames.length ?? 0;
  }
  /** Open connections to the change stream. */
  get watchers(): number {
    return this.changes.size;
  }
  /** Open connections to document progress. */
  get progressWatchers(): number {
    return this.progress.size;
  }
  /** The current position in the log of changes. */
  get changesPosition(): string {
    return `log${this.logs}.${this.changeLog.length}`;
  }
  change(frame: ChangeFrame): void {
    this.changeLog.push(frame);
    const text = `id: ${this.changesPosition}\ndata: ${JSON.stringify(frame)}\n\n`;
    for (const each of this.changes) each.write(text);
  }
  /** From now on, streams can't start where earlier ones ended. */
  forgetChanges(): void {
    this.logs += 1;
    this.changeLog = [];
  }
  /** The changes since a position, as text of a stream; null if some are unknown. */
  changesSince(position: string | null): string | null {
    const [log, count] = (position ?? "").split(".");
    if (log !== `log${this.logs}`) return null;
    const missed = this.changeLog.slice(Number(count));
    if (missed.some(({ type }) => type === "access.changed")) return null;
    return missed
      .map((frame, n) => `id: ${log}.${Number(count) + n + 1}\ndata: ${JSON.stringify(frame)}\n\n`)
      .join("");
  }
  report(frame: unknown): void {
    for (const each of this.progress) each.write(`data: ${JSON.stringify(frame)}\n\n`);
  }
  nextChatId(): number {
    this.lastChat += 1;
    return this.lastChat;
  }
  addTurn(slug: string, thread: string, turn: Partial<TurnWire>): void {
    const key = `${slug}/${thread}`;
    (this.turns[key] ??= []).push({
      id: this.nextChatId(),
      question: "",
      answer: "",
      sources: [],
      sentAt: Date.now(),
      state: "done",
      error: null,
      generationId: null,
      mode: "chat",
      metrics: null,
      refused: false,
      ...turn,
    });
  }
  private addThread(slug: string, name: string): string {
    const list = (this.threads[slug] ??= []);
    const thread = threadWire(80 + list.length, name, `fork-${list.length}`);
    list.push(thread);
    return thread.slug;
  }
}
