import {
  activateTurn,
  createPreset,
  embedParsedFile,
  explainRating,
  forkThread,
  getWelcomeMessages,
  listParsedFiles,
  listPresets,
  listSuggestedMessages,
  parseFile,
  rateChat,
  setWelcomeMessages,
  suggestQuestions,
  updatePreset,
  type FeedbackReason,
  type TurnWire,
} from "@carrel/contracts";
import type { FakeCall } from "./fake-call.ts";

interface Instance {
  turns: Record<string, TurnWire[]>;
  threads: Record<string, { id: number; name: string; slug: string }[]>;
  addThread: (slug: string, name: string) => string;
}

/** What a reply to a change says of a preset besides what was sent. */
const ownership = {
  uid: 0,
  userId: null,
  createdAt: "2026-11-21T08:00:00.000Z",
  lastUpdatedAt: "2026-11-21T08:00:00.000Z",
};

/** Branches, presets, files and exports of the fake gateway. */
export class FakeChat {
  presets: { id: number; command: string; prompt: string; description: string }[] = [
    { id: 1, command: "/summary", prompt: "Summarise in five points.", description: "Five points" },
    { id: 2, command: "/letter", prompt: "Write it as a letter.", description: "" },
  ];
  welcome: { user: string; response: string }[] = [];
  /** Rejects the next change of the welcome messages with this text. */
  refuseWelcome: string | null = null;
  /** Questions that the documents answer without a model; null: there is a model. */
  questions: { question: string; title: string }[] | null = null;
  suggestions: { heading: string; message: string }[] = [];
  files: { id: number; title: string; location: string; token_count_estimate: number }[] = [];
  contextWindow: number | null = 8_000;
  /** While set, parsing waits for it. */
  parseHeld: Promise<void> | null = null;
  calls: { method: string; path: string; body: Record<string, unknown> }[] = [];
  /** Parked paths by the replaced turn: that turn and everything after it. */
  private tails = new Map<number, TurnWire[]>();
  private families: number[][] = [];
  private nextId = 10;

  constructor(private instance: Instance) {}

  /** Replaces the turn `replaced` with `turn` and parks its path. */
  replace(key: string, replaced: number, turn: TurnWire): void {
    const path = this.instance.turns[key]!;
    const at = path.findIndex((each) => each.id === replaced);
    this.tails.set(replaced, path.splice(at));
    const family = this.families.find((each) => each.includes(replaced)) ?? [replaced];
    if (!this.families.includes(family)) this.families.push(family);
    family.push(turn.id);
    path.push(turn);
  }
  siblings(id: number): number[] {
    return this.families.find((each) => each.includes(id)) ?? [];
  }
  /** Which question each sibling asks, as the gateway numbers them. */
  siblingQuestions(id: number): number[] {
    const known = [...Object.values(this.instance.turns), ...this.tails.values()].flat();
    const words = this.siblings(id).map((each) => known.find((turn) => turn.id === each)?.question);
    return words.map((question) => words.indexOf(question));
  }
  private activate(id: number): void {
    const family = this.siblings(id);
    for (const path of Object.values(this.instance.turns)) {
      const at = path.findIndex((each) => family.includes(each.id));
      if (at === -1) continue;
      const shown = path[at]!.id;
      this.tails.set(shown, path.splice(at));
      path.push(...(this.tails.get(id) ?? []));
    }
  }
  private find(id: number): TurnWire | undefined {
    return Object.values(this.instance.turns)
      .flat()
      .find((turn) => turn.id === id);
  }

  async handle({
    method,
    path,
    body,
    raw,
    response,
    json,
    reply,
    text,
  }: FakeCall): Promise<boolean> {
    const is = (wanted: string, pattern: RegExp): RegExpExecArray | null =>
      method === wanted ? pattern.exec(path) : null;
    const done = (act: () => void): true => {
      this.calls.push({ method, path, body });
      act();
      return true;
    };
    let match: RegExpExecArray | null;
    if (path === "/system/welcome-messages" && method === "GET")
      return done(() =>
        reply(getWelcomeMessages, { success: true, welcomeMessages: this.welcome }),
      );
    if (path === "/system/set-welcome-messages")
      return done(() => {
        if (this.refuseWelcome !== null) {
          json({ success: false, message: this.refuseWelcome }, 400);
          this.refuseWelcome = null;
          return;
        }
        this.welcome = body.messages as typeof this.welcome;
        reply(setWelcomeMessages, {
          success: true,
          message: "Welcome messages saved successfully.",
        });
      });
    if (is("GET", /^\/workspace\/[^/]+\/suggested-messages$/))
      return done(() =>
        reply(listSuggestedMessages, { success: true, suggestedMessages: this.suggestions }),
      );
    if (is("GET", /^\/workspace\/[^/]+\/suggested-questions$/))
      return done(() =>
        reply(suggestQuestions, {
          hasModel: this.questions === null,
          questions: this.questions ?? [],
        }),
      );
    if (path === "/system/slash-command-presets" && method === "GET")
      return done(() => reply(listPresets, { presets: this.presets }));
    if (path === "/system/slash-command-presets")
      return done(() => {
        if (body.command === "/reset")
          return json({ message: "You already have a slash command with this name." }, 400);
        const preset = {
          id: (this.nextId += 1),
          command: String(body.command),
          prompt: String(body.prompt),
          description: String(body.description),
        };
        this.presets.push(preset);
        reply(createPreset, { preset: { ...preset, ...ownership } });
      });
    if ((match = is("POST", /^\/system\/slash-command-presets\/(\d+)$/)))
      return done(() => {
        const preset = this.presets.find((each) => each.id === Number(match![1]))!;
        Object.assign(preset, {
          command: body.command,
          prompt: body.prompt,
          description: body.description,
        });
        reply(updatePreset, { preset: { ...preset, ...ownership } });
      });
    if ((match = is("DELETE", /^\/system\/slash-command-presets\/(\d+)$/)))
      return done(() => {
        this.presets = this.presets.filter((each) => each.id !== Number(match![1]));
        response.writeHead(204);
        response.end();
      });
    if (is("POST", /^\/workspace\/[^/]+\/(?:thread\/[^/]+\/)?update-chat$/))
      return done(() => {
        const turn = this.find(Number(body.chatId));
        if (turn) turn.answer = String(body.newText);
        text();
      });
    if ((match = is("POST", /^\/workspace\/[^/]+\/chat-feedback\/(\d+)$/)))
      return done(() => {
        const turn = this.find(Number(match![1]));
        if (turn) {
          turn.feedback = body.feedback as boolean | null;
          if (turn.feedback !== false) turn.feedbackReason = null;
        }
        reply(rateChat, { success: true });
      });
    if ((match = is("POST", /^\/workspace\/[^/]+\/turns\/(\d+)\/feedback-reason$/)))
      return done(() => {
        const turn = this.find(Number(match![1]));
        if (turn) {
          turn.feedback = false;
          turn.feedbackReason = {
            reason: body.reason as FeedbackReason["reason"],
            comment: body.comment as string | null,
          };
        }
        reply(explainRating, { success: true });
      });
    if ((match = is("POST", /^\/workspace\/[^/]+\/turns\/(\d+)\/activate$/)))
      return done(() => {
        this.activate(Number(match![1]));
        reply(activateTurn, { success: true });
      });
    if ((match = is("POST", /^\/workspace\/([^/]+)\/thread\/fork$/)))
      return done(() => {
        const slug = match![1]!;
        const from = this.instance.turns[`${slug}/${String(body.threadSlug ?? "")}`] ?? [];
        const fork = this.instance.addThread(slug, "Forked Thread");
        this.instance.turns[`${slug}/${fork}`] = from.filter(
          (turn) => turn.id <= Number(body.chatId),
        );
        reply(forkThread, { newThreadSlug: fork });
      });
    if (is("GET", /^\/workspace\/[^/]+\/parsed-files$/))
      return done(() =>
        reply(listParsedFiles, {
          files: this.files,
          contextWindow: this.contextWindow,
          currentContextTokenCount: this.files.reduce(
            (sum, file) => sum + file.token_count_estimate,
            0,
          ),
        }),
      );
    if (is("POST", /^\/workspace\/[^/]+\/parse$/)) {
      await this.parseHeld;
      const words = raw.toString("latin1");
      const name = /filename="([^"]+)"/.exec(words)?.[1] ?? "file";
      return done(() => {
        this.calls.at(-1)!.body = {
          name,
          threadSlug: /name="threadSlug"\r\n\r\n([^\r]*)/.exec(words)?.[1] ?? null,
        };
        if (name.endsWith(".exe"))
          return json({ success: false, error: "Files of this type cannot be read." }, 422);
        this.files.push({
          id: (this.nextId += 1),
          title: name,
          location: name,
          token_count_estimate: 1_000,
        });
        reply(parseFile, { success: true, error: null, files: [] });
      });
    }
    if (is("DELETE", /^\/workspace\/[^/]+\/delete-parsed-files$/))
      return done(() => {
        this.files = this.files.filter((file) => !(body.fileIds as number[]).includes(file.id));
        response.writeHead(200);
        response.end();
      });
    if ((match = is("POST", /^\/workspace\/[^/]+\/embed-parsed-file\/(\d+)$/)))
      return done(() => {
        this.files = this.files.filter((file) => file.id !== Number(match![1]));
        reply(embedParsedFile, { success: true, error: null, document: null });
      });
    if ((match = is("POST", /^\/export-chat\/(\w+)$/)))
      return done(() => {
        response.writeHead(200, {
          "Content-Type": "text/plain",
          "Content-Disposition": `attachment; filename="thread.${match![1] === "markdown" ? "md" : match![1]}"`,
        });
        response.end("# Thread");
      });
    return false;
  }
}
