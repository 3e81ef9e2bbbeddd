import type { ServerResponse } from "node:http";
import {
  cancelGeneration,
  getThreadGeneration,
  type GenerationFrame,
  type MetricsWire,
  type RunStep,
  type TurnWire,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";
import { isWaiting, recordSteps, scriptFrames, type Running } from "./fake-steps.ts";
import { recordThinking, thinkingFrames } from "./fake-thinking.ts";
import type { GatewayState } from "./gateway-state.ts";

/** Answers that the fake gateway writes, frame by frame. */
export class FakeGenerations {
  constructor(private readonly state: GatewayState) {}

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { response, reply, text } = call;
    const { running, turns } = this.state;
    const is = matcher(call);
    let match: RegExpExecArray | null;
    if ((match = is("GET", /^\/workspace\/([^/]+)\/thread\/([^/]+)\/generation$/))) {
      const [run] = this.unfinished(match[1]!, match[2] === "default" ? "" : match[2]!);
      return answered(
        reply(getThreadGeneration, {
          generation: run ? { id: run.id, chatId: run.chatId, state: "running" } : null,
        }),
      );
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)(?:\/thread\/([^/]+))?\/stream-chat$/)))
      return answered(this.ask(match[1]!, match[2] ?? "", call));
    if ((match = is("GET", /^\/generation\/([^/]+)\/stream$/))) {
      const run = running.get(match[1]!);
      if (!run) return answered(text("Not found", 404));
      return answered(this.relay(run, Number(call.lastEventId ?? 0), response, null));
    }
    if (this.state.steps.handle(call)) return true;
    if ((match = is("DELETE", /^\/generation\/([^/]+)$/))) {
      const run = running.get(match[1]!);
      if (run) {
        run.ended = true;
        turns[`${run.slug}/${run.thread}`]!.find((turn) => turn.id === run.chatId)!.state =
          "cancelled";
        for (const each of run.listeners) each();
        this.announce(run, "cancelled");
      }
      return answered(reply(cancelGeneration, { success: true }));
    }
    return false;
  }

  private unfinished(slug: string, thread: string): Running[] {
    return [...this.state.running.values()].filter(
      (each) => !each.ended && each.slug === slug && each.thread === thread,
    );
  }

  private announce(run: Running, state: string): void {
    this.state.change({
      type: "generation.changed",
      workspaceId: 1,
      threadId: this.state.threads[run.slug]?.find((each) => each.slug === run.thread)?.id ?? 1,
      generationId: run.id,
      state,
    });
  }

  private ask(slug: string, thread: string, { body, response }: FakeCall): void {
    const { failWith, turns, running, asked } = this.state;
    if (failWith && "status" in failWith) {
      response.writeHead(failWith.status);
      response.end();
      return;
    }
    if (/^\/reset/.test(String(body.message))) {
      turns[`${slug}/${thread}`]?.splice(0);
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const reset = {
        uuid: "x",
        type: "textResponse",
        textResponse: "Chat memory was reset!",
        sources: [],
        close: true,
        error: false,
        action: "reset_chat",
      };
      response.end(`data: ${JSON.stringify(reset)}\n\n`);
      return;
    }
    const chatId = this.state.nextChatId();
    const id = `00000000-0000-4000-9000-${String(chatId).padStart(12, "0")}`;
    const run: Running = {
      id,
      chatId,
      frames: [],
      ended: false,
      listeners: new Set(),
      slug,
      thread,
    };
    const ahead = this.unfinished(slug, thread);
    const kept = this.keptSteps(body, `${slug}/${thread}`);
    running.set(id, run);
    const turn: TurnWire = {
      id: chatId,
      question: String(body.message),
      answer: "",
      sources: [],
      sentAt: Date.now(),
      state: ahead.length > 0 ? "queued" : "running",
      error: null,
      generationId: id,
      ...this.mentionsOf(body, `${slug}/${thread}`),
      attachments: (body.attachments as TurnWire["attachments"]) ?? [],
      mode: (body.mode as TurnWire["mode"] | undefined) ?? "chat",
      metrics: null,
      refused: false,
    };
    if (body.replaces) this.state.chat.replace(`${slug}/${thread}`, Number(body.replaces), turn);
    else (turns[`${slug}/${thread}`] ??= []).push(turn);
    asked.push(body);
    setTimeout(() => this.announce(run, turn.state), 1);
    if (this.state.dropsQuestion) {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(": beat\n\n", () => response.destroy());
    } else this.relay(run, 0, response, this.state.cutAfter);
    Object.assign(this.state, { cutAfter: null, dropsQuestion: false });
    this.write(run, turn, ahead, kept);
  }

  /** A retry from a step keeps those before it. */
  private keptSteps({ replaces, fromStep }: FakeCall["body"], key: string): RunStep[] {
    const replaced = this.state.turns[key]?.find(({ id }) => id === replaces);
    return (replaced?.steps ?? []).filter(({ id }) => id < Number(fromStep ?? 0));
  }

  /** A question that is asked again keeps what was chosen for it. */
  private mentionsOf(body: FakeCall["body"], key: string): Pick<TurnWire, "mentions"> {
    const replaced = this.state.turns[key]?.find(({ id }) => id === body.replaces);
    const mentions = (body.mentions as TurnWire["mentions"]) ?? replaced?.mentions;
    return mentions ? { mentions } : {};
  }

  /** Writes the answer, after those ahead of it in the queue. */
  private write(run: Running, turn: TurnWire, ahead: Running[], kept: RunStep[]): void {
    const metrics = this.state.metrics ?? {
      prompt_tokens: 900,
      completion_tokens: 412,
      total_tokens: 1312,
      outputTps: 66,
      duration: 6.2,
      model: "llama3.2",
      timestamp: new Date().toISOString(),
    };
    const { failWith } = this.state;
    const frames = this.framesOf(run, ahead.length > 0, metrics, kept);
    let next = 0;
    const step = (): void => {
      const { heldAfter } = this.state;
      if (run.ended) return;
      const isHeld = heldAfter !== null && run.frames.length >= heldAfter;
      const isQueued = run.frames.length === 1 && ahead.some((each) => !each.ended);
      if (isHeld || isQueued || isWaiting(run)) {
        setTimeout(step, 20);
        return;
      }
      if (turn.state === "queued" && run.frames.length === 1) {
        turn.state = "running";
        this.announce(run, "running");
      }
      const frame = frames[next];
      next += 1;
      if (!frame) {
        run.ended = true;
        Object.assign(
          turn,
          failWith && "abort" in failWith
            ? { state: "failed", error: failWith.abort }
            : {
                state: "done",
                ...(this.state.whole === null ? {} : { answer: this.state.answer }),
                ...recordSteps(run.frames),
                sources: this.state.sources,
                metrics,
              },
        );
        this.announce(run, turn.state);
      } else {
        run.frames.push(JSON.stringify(frame));
        Object.assign(turn, recordThinking(run.frames), recordSteps(run.frames));
        setTimeout(step, this.state.pace);
      }
      for (const each of [...run.listeners]) each();
    };
    step();
  }

  private framesOf(
    { id, chatId }: Running,
    queued: boolean,
    metrics: MetricsWire,
    kept: RunStep[],
  ): GenerationFrame[] {
    const { answer, partLength, sources, whole, failWith, extraFrames, thinking } = this.state;
    const chunk = (text: string, close: boolean): GenerationFrame => ({
      type: "textResponseChunk",
      uuid: id,
      textResponse: text,
      sources: close ? sources : [],
      close,
      error: false,
    });
    const script =
      this.state.script === null ? null : scriptFrames(id, [...kept, ...this.state.script]);
    const start: GenerationFrame[] = [
      { type: "generationStarted", generationId: id, chatId, queued },
      { type: "generationStage", stage: "searching", documents: 24 },
      { type: "generationStage", stage: "reading", passages: 4, milliseconds: 1100 },
      { type: "generationStage", stage: "writing", passages: 4 },
      ...extraFrames,
      ...(thinking === null ? [] : thinkingFrames(id, thinking, partLength)),
    ];
    const text: GenerationFrame[] =
      script ??
      (whole !== null
        ? [
            {
              type: "textResponse",
              uuid: id,
              textResponse: answer,
              sources,
              close: whole === "at once",
              error: false,
              chatId,
            },
          ]
        : Array.from({ length: Math.ceil(answer.length / partLength) }, (_, part) =>
            chunk(answer.slice(part * partLength, (part + 1) * partLength), false),
          ));
    if (failWith && "abort" in failWith)
      return [
        ...start,
        ...text,
        {
          type: "abort",
          uuid: id,
          textResponse: null,
          sources: [],
          close: true,
          error: failWith.abort,
        },
      ];
    if (whole !== null) return [...start, ...text];
    return [
      ...start,
      ...text,
      chunk("", true),
      { type: "finalizeResponseStream", uuid: id, close: true, error: false, chatId, metrics },
    ];
  }

  private relay(
    run: Running,
    after: number,
    response: ServerResponse,
    cutAfter: number | null,
  ): void {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    let sent = after;
    const push = (): void => {
      while (sent < run.frames.length) {
        response.write(`id: ${sent + 1}\ndata: ${run.frames[sent]}\n\n`);
        sent += 1;
        if (cutAfter !== null && sent >= cutAfter) {
          run.listeners.delete(push);
          response.destroy();
          return;
        }
      }
      if (run.ended) {
        run.listeners.delete(push);
        response.end();
      }
    };
    run.listeners.add(push);
    response.on("close", () => run.listeners.delete(push));
    push();
  }
}
