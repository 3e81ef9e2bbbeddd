import { randomUUID } from "node:crypto";
import type { AgentSettings } from "@carrel/contracts";
import {
  countTokens,
  estimateTokens,
  isFreeProvider,
  messageText,
  type LanguageModel,
  type ModelMessage,
  type TokenCount,
  type ToolDefinition,
} from "@carrel/providers";
import type { Tool } from "@carrel/skills";
import type { AnswerTask } from "../answer/answerer.ts";
import { defaultTemperature, type FittedPrompt } from "../answer/model-answerer.ts";
import { readReply, type Reply, type WrittenCall } from "../answer/model-reply.ts";
import { describeUse, type PlacedUse } from "../usage/usage-record.ts";
import type { AgentRun } from "./agent-run.ts";
import type { Agents } from "./agents.ts";
import {
  buildEarlierMessages,
  earlierShare,
  insertEarlier,
  type EarlierExchange,
} from "./earlier-steps.ts";
import { buildRunMessages } from "./run-messages.ts";
import type { StoredStep } from "./run-step.repository.ts";
import { inputSchemaOf } from "./tool-input.ts";

/** Tokens kept free for a reply if the model reserves none. */
const replyTokens = 1_500;
/** A run stops calling tools after this long, not counting the time it waits for a person. */
const longestRunMinutes = 20;
/** Inputs in a row that a model may get wrong, and calls it may repeat. */
const maxInvalid = 3;
const maxRepeated = 3;

/** What the model is told once it may call no more tools. */
const lastReply =
  "You can't call any more tools now. Answer the question with what you have, and say what is missing.";
/** What it is told if it stops without a word after its last step. */
const nudge = "Now answer the question.";

interface Loop {
  task: AnswerTask;
  prompt: FittedPrompt;
  /** What the answers before it did, and the turns of all questions before it in the prompt. */
  earlier: { turnIds: readonly (number | null)[]; exchanges: readonly EarlierExchange[] };
  run: AgentRun;
  tools: readonly Tool[];
  settings: AgentSettings;
  languageModel: LanguageModel;
  /** The name of the provider in settings and in usage. */
  provider: string;
  /** The model's tokens per estimated token. */
  factor: number;
  agents: Agents;
  onText: () => void;
}

/** A result that is the answer as it is; null: the model has to answer. */
const findFinal = (steps: readonly StoredStep[]): string | null =>
  steps.flatMap((row) => (row.kind === "tool" && row.result.isFinal ? [row.result.text] : []))[0] ??
  null;

/** Calls the model and its tools in turns until it answers. */
export class AgentLoop {
  private isNudged = false;

  /** As each call of the model sends them. */
  private readonly definitions: readonly ToolDefinition[];
  /** Tokens of the prompt and the tools, which are the same in each call. */
  private readonly fixedTokens: number;
  private readonly count = (text: string): number =>
    Math.ceil(estimateTokens(text) * this.loop.factor);

  constructor(private readonly loop: Loop) {
    this.definitions = loop.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: inputSchemaOf(tool),
    }));
    const { prompt, factor } = loop;
    this.fixedTokens =
      (prompt.tokens === null
        ? this.count([prompt.system, ...prompt.messages.map(messageText)].join("\n"))
        : prompt.tokens * factor) + this.count(JSON.stringify(this.definitions));
  }

  /** Returns the reply that ends the answer. Throws provider errors. */
  async run(): Promise<Reply> {
    const { task, run } = this.loop;
    const { draft } = task;
    for (;;) {
      const final = findFinal(run.steps);
      if (final !== null) return this.writeFinal(final);
      const mayCall = this.mayCall();
      const from = draft.text.length;
      const startedAt = performance.now();
      const reply = await this.reply(mayCall);
      const milliseconds = performance.now() - startedAt;
      const calls = mayCall ? this.admit(reply.calls) : [];
      draft.usage = reply.usage;
      draft.isCut = reply.reason === "length";
      if (calls.length === 0) {
        // A model that was cut off may not have come to its call.
        if (reply.hasAnswer || this.isNudged || run.steps.length === 0 || draft.isCut) return reply;
        this.isNudged = true;
        const { tokens, place, use } = this.describeUse(reply, from, milliseconds);
        await this.loop.agents.usage.record(place, use);
        draft.noteSpent(tokens);
        continue;
      }
      this.loop.onText();
      // A quick model may reply before the turn is there that its steps belong to.
      await task.committed;
      const { tokens, ...used } = this.describeUse(reply, from, milliseconds);
      await run.record({ reply, calls, written: draft.text.takeFrom(from), tokens }, used);
      draft.noteSpent(tokens);
      await run.execute();
      task.signal.throwIfAborted();
    }
  }

  /** A result of a tool that is the answer. The model has used nothing for it. */
  private writeFinal(text: string): Reply {
    const { task, onText } = this.loop;
    const { draft, output } = task;
    onText();
    output.startWriting(draft.sources);
    const opening = draft.text.length > 0 ? "\n\n" : "";
    output.sendText(draft.text.pushVerbatim(opening + text), draft.text.takeChanges());
    draft.usage = { inputTokens: 0, outputTokens: 0 };
    return {
      reason: "stop",
      usage: draft.usage,
      hasAnswer: text.trim() !== "",
      calls: [],
      parts: [],
    };
  }

  /** Whether the model may call tools, or should answer with what it has. */
  private mayCall(): boolean {
    const { run, settings, task } = this.loop;
    const { calls, invalid, repeated } = run.limits;
    if (calls >= settings.maxToolCalls) {
      task.draft.notify(task.output, {
        code: "notice.tool-limit",
        params: { limit: settings.maxToolCalls },
      });
      return false;
    }
    if (this.isNudged || invalid >= maxInvalid || repeated >= maxRepeated) return false;
    if (run.clock.milliseconds < longestRunMinutes * 60_000) return true;
    task.draft.notify(task.output, {
      code: "notice.time-limit",
      params: { minutes: longestRunMinutes },
    });
    return false;
  }

  /** The calls of a reply that are made: as many as may be, each with an ID of its own. */
  private admit(calls: readonly WrittenCall[]): WrittenCall[] {
    const { run, settings } = this.loop;
    const known = new Set(run.steps.flatMap((row) => (row.kind === "tool" ? [row.call.id] : [])));
    return calls.slice(0, settings.maxToolCalls - run.limits.calls).map((call) => {
      const id =
        call.id === "" || known.has(call.id) ? `call_${randomUUID().slice(0, 8)}` : call.id;
      known.add(id);
      return { ...call, id };
    });
  }

  private async reply(mayCall: boolean): Promise<Reply> {
    const { task, prompt, run, languageModel, agents, onText } = this.loop;
    const { draft, output, workspace, parameters, signal } = task;
    const messages = this.buildMessages(mayCall);
    draft.promptText = [prompt.system, ...messages.map(textOf)].join("\n");
    const isFirst = run.steps.length === 0;
    const release = isFirst ? null : await this.holdBudget();
    draft.replyFrom = draft.text.length;
    try {
      return await readReply({
        model: await agents.withTools(languageModel, signal),
        draft,
        output,
        onText,
        ...(draft.text.length > 0 && { opening: "\n\n" }),
        call: {
          system: prompt.system,
          messages,
          temperature: workspace.openAiTemp ?? defaultTemperature,
          topP: parameters.topP,
          effort: parameters.effort,
          signal,
          paceMs: output.batchMs,
          onQueue: (ahead) => output.showQueue(ahead),
          tools: this.definitions,
          toolChoice: mayCall ? "auto" : "none",
          ...(prompt.maxTokens !== null && { maxTokens: prompt.maxTokens }),
        },
      });
    } finally {
      await release?.();
    }
  }

  private buildMessages(mayCall: boolean): ModelMessage[] {
    const { task, prompt, earlier, run, languageModel } = this.loop;
    const window = task.draft.notes.prompt?.contextWindow ?? languageModel.contextWindow;
    const reserve = Math.max(replyTokens, Math.min(languageModel.answerTokens ?? 0, window / 4));
    const room = window - this.fixedTokens - reserve;
    const steps = buildRunMessages(run.steps, room, window, this.count);
    // The answer's own steps come first.
    const left = room - (steps.length === 0 ? 0 : this.count(steps.map(textOf).join("\n")));
    const before = buildEarlierMessages(
      earlier.exchanges,
      Math.min(left, window * earlierShare),
      window,
      this.count,
    );
    const messages = [...insertEarlier(prompt.messages, earlier.turnIds, before), ...steps];
    if (!mayCall && steps.length > 0)
      messages.push({ role: "user", content: this.isNudged ? nudge : lastReply });
    return messages;
  }

  /**
   * Throws CarrelError if a budget is used up. Returns a function that gives the rest back; null:
   * nothing is held.
   */
  private async holdBudget(): Promise<(() => Promise<void>) | null> {
    const { task, provider, languageModel, agents } = this.loop;
    const id = randomUUID();
    const input = estimateTokens(task.draft.promptText);
    const price = task.draft.findPrice(provider, languageModel.model);
    const isHeld = await agents.budgets.admitCall(id, task.scope, {
      tokens: input + replyTokens,
      micros: input * (price?.input ?? 0) + replyTokens * (price?.output ?? 0),
      isFree: isFreeProvider(provider),
    });
    return isHeld ? () => agents.budgets.release(id) : null;
  }

  /** What a reply used that isn't the answer's last; the last is recorded with its end. */
  private describeUse(
    reply: Reply,
    from: number,
    milliseconds: number,
  ): PlacedUse & { tokens: TokenCount } {
    const { provider, languageModel } = this.loop;
    const { draft, scope, turnId, threadId } = this.loop.task;
    const { principal, workspace } = scope;
    const written = draft.text.takeFrom(from).text + JSON.stringify(reply.calls);
    const tokens = countTokens(reply.usage, draft.promptText, written);
    const use = describeUse({
      purpose: "answer",
      state: "done",
      principal,
      provider,
      model: languageModel.model,
      findPrice: draft.findPrice,
      tokens,
      firstTokenMs: null,
      milliseconds,
    });
    const place = { turnId, threadId, workspaceId: workspace.id, userId: principal.userId };
    return { tokens, place, use };
  }
}

const textOf = (message: ModelMessage): string =>
  typeof message.content === "string" ? message.content : JSON.stringify(message.content);
