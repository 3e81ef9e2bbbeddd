import { hash } from "node:crypto";
import {
  CarrelError,
  answerStep,
  cancelGeneration,
  closeInvocation,
  decideStep,
  keepInvocation,
  renderFault,
  startGeneration,
  type Args,
  type GenerationFrame,
  type KnownFault,
  type OpenedInvocation,
  type Out,
  type StoredAttachment,
  type ToolSwitches,
  type WorkspaceScope,
} from "@carrel/contracts";
import type { FrameSink } from "../chat/generation-relay.ts";
import type { AgentSocket } from "./agent-socket.ts";
import { answersOf, isBailWord, isImageCommand, type ClientFrame } from "./client-frame.ts";
import { isFileCard } from "./file-downloads.ts";
import type { SessionPorts } from "./session-ports.ts";
import {
  TurnFrames,
  failureFrame,
  readRequestId,
  statusFrame,
  waitingFrame,
} from "./turn-frames.ts";

/** How long approvals and forms wait in a session, in seconds. */
const replySeconds = 120;
/** Replies that wait for the end of an answer, and their characters; further ones are ignored. */
const maxReplies = 20;
const maxWaitingLength = 30_000_000;
/** Skills and tools that a session may switch. */
const maxSwitches = 500;

type Feedback = Extract<ClientFrame, { type: "awaitingFeedback" }>;
type Toggle = Extract<ClientFrame, { type: "agentToolToggle" }>;

/**
 * One connection's view of an agent's session: each question is a generation of its thread, whose
 * frames the client gets in its own words. Losing the connection stops nothing.
 */
export class AgentSession {
  private generationId: string | null;
  private turns: number;
  private toolSwitches: ToolSwitches;
  /** Whether an answer is being written, as far as this connection knows. */
  private isRunning = false;
  /** Settled once the last question, if there is one, has been noted. */
  private asking: Promise<unknown> = Promise.resolve();
  /** Replies that came while an answer was being written are asked next. */
  private readonly replies: Feedback[] = [];
  private onReply: (() => void) | null = null;

  constructor(
    private readonly socket: AgentSocket,
    private readonly connection: string,
    private readonly opened: OpenedInvocation,
    private readonly ports: SessionPorts,
  ) {
    this.generationId = opened.generationId;
    this.turns = opened.turns;
    this.toolSwitches = opened.toolSwitches;
  }

  get userId(): number | null {
    return this.opened.scope.principal.userId;
  }

  /** Runs until the session ends or its connection is gone. */
  async run(): Promise<void> {
    const { signal } = this.socket;
    try {
      let isReplay = this.generationId !== null;
      let isAsked = isReplay || (await this.ask(this.opened.prompt, this.opened.attachments));
      while (!signal.aborted) {
        if (isAsked && !(await this.follow(isReplay))) return;
        if (signal.aborted) return;
        isReplay = false;
        await this.socket.send(waitingFrame());
        const feedback = await this.nextReply();
        if (signal.aborted) return;
        if (feedback === null) return await this.end();
        isAsked = await this.answerTo(feedback);
      }
    } catch (error) {
      await this.fail(error);
    }
  }

  /** Takes a frame of the client. */
  async take(frame: ClientFrame): Promise<void> {
    if (frame.type === "awaitingFeedback") {
      if (isBailWord(frame.feedback)) return this.end();
      if (frame.feedback.trim() === "" && !frame.attachments?.length) return;
      const length = [...this.replies, frame].reduce((sum, each) => sum + lengthOf(each), 0);
      if (this.replies.length < maxReplies && length <= maxWaitingLength) this.replies.push(frame);
      this.onReply?.();
      return;
    }
    if (frame.type === "agentToolToggle") return this.switchTool(frame);
    const asked = readRequestId(frame.requestId);
    if (asked === null || asked.generationId !== this.generationId) return;
    const place = { id: asked.generationId, step: asked.step };
    const { scope } = this.opened;
    if (frame.type === "toolApprovalResponse")
      await this.ports.requests.request(
        decideStep,
        { ...place, decision: frame.approved ? "once" : "denied" },
        { scope },
      );
    else
      await this.ports.requests.request(
        answerStep,
        { ...place, answers: answersOf(frame) },
        { scope },
      );
  }

  /** Returns whether the session is still this connection's. */
  async keep(): Promise<boolean> {
    return (await this.note({})).isOwner;
  }

  /** The connection is gone: another may take the session up, once all questions are noted. */
  async release(): Promise<void> {
    await this.asking;
    await this.note({ hasLeft: true });
  }

  /** Ends the session, and the answer that is being written (wire-contract 5.2). */
  async end(): Promise<void> {
    const { requests } = this.ports;
    const { scope, id } = this.opened;
    this.socket.close();
    await this.asking;
    await requests.request(closeInvocation, { id }, { scope });
    if (this.isRunning && this.generationId !== null)
      await requests.request(cancelGeneration, { id: this.generationId }, { scope });
  }

  /** Tells the client why the session ends. */
  async fail(error: unknown): Promise<void> {
    const isKnown = error instanceof CarrelError || error instanceof SessionRefused;
    if (!isKnown || (error instanceof CarrelError && error.kind === "INTERNAL"))
      this.ports.logger.error({ err: error }, "an agent's session failed");
    if (!this.socket.signal.aborted)
      await this.socket.send(
        failureFrame(isKnown ? error.message : renderFault({ code: "request.failed" })),
      );
    await this.end().catch((failure: unknown) =>
      this.ports.logger.warn({ err: failure }, "couldn't close an agent's session"),
    );
  }

  private note(
    change: Omit<Args<typeof keepInvocation>, "id" | "connection">,
  ): Promise<Out<typeof keepInvocation>> {
    const { scope, id } = this.opened;
    return this.ports.requests.request(
      keepInvocation,
      { id, connection: this.connection, ...change },
      { scope },
    );
  }

  /** For the next questions of this session. Of others than admins, it is ignored. */
  private async switchTool({ skill, enabled }: Toggle): Promise<void> {
    if (this.opened.scope.principal.role !== "admin") return;
    if (Object.keys(this.toolSwitches).length >= maxSwitches) return;
    this.toolSwitches = { ...this.toolSwitches, [skill]: enabled };
    await this.note({ toolSwitch: { name: skill, isOn: enabled } });
  }

  private async answerTo({ feedback, attachments }: Feedback): Promise<boolean> {
    if (isImageCommand(feedback)) {
      const fault: KnownFault = { code: "agent-session.without-images" };
      await this.socket.send(statusFrame(renderFault(fault)));
      return false;
    }
    let isAsked = false;
    const ask = async (stored: StoredAttachment[]): Promise<{ generationId: string | null }> => {
      isAsked = await this.ask(feedback, stored);
      return { generationId: isAsked ? this.generationId : null };
    };
    if (attachments?.length) await this.ports.images.keep(attachments, ask);
    else await ask([]);
    return isAsked;
  }

  /** Starts an answer; false: the reply was complete and has been sent. */
  private async ask(message: string, attachments: StoredAttachment[]): Promise<boolean> {
    const starting = this.start(message, attachments);
    this.asking = starting.catch(() => undefined);
    const started = await starting;
    if (started.generationId === null) {
      const frames = new TurnFrames("");
      for (const frame of started.frames)
        for (const each of frames.add(frame as GenerationFrame)) await this.socket.send(each);
      if (frames.failure !== null) throw new SessionRefused(frames.failure);
      return false;
    }
    return true;
  }

  private async start(
    message: string,
    attachments: StoredAttachment[],
  ): Promise<Out<typeof startGeneration>> {
    const { id, threadSlug, timeZone, locale } = this.opened;
    const turns = this.turns + 1;
    const { toolSwitches } = this;
    const started = await this.ports.requests.request(
      startGeneration,
      {
        threadSlug,
        message,
        attachments,
        mode: "automatic",
        overrides: { asksPerson: true, waitSeconds: replySeconds, toolSwitches },
        timeZone,
        locale,
      },
      {
        scope: await this.findScope(),
        // A gateway that was killed may have asked without noting it: whoever takes the session up
        // and asks the same gets that answer, and whoever asks something else a new one.
        idempotencyKey: `agent:${id}:${turns}:${hash("sha256", message)}`,
      },
    );
    this.turns = turns;
    const { generationId } = started;
    if (generationId !== null) {
      this.generationId = generationId;
      this.isRunning = true;
      await this.note({ asked: { generationId, turns } });
    }
    return started;
  }

  /** The person may have lost the workspace since. */
  private async findScope(): Promise<WorkspaceScope> {
    const { principal, workspace, address, language } = this.opened.scope;
    const scope = await this.ports.workspaces.resolve(principal, workspace?.slug);
    return { ...scope, ...(address && { address }), ...(language && { language }) };
  }

  /** Streams the answer. Returns whether the session continues. */
  private async follow(isReplay: boolean): Promise<boolean> {
    const generationId = this.generationId!;
    const frames = new TurnFrames(generationId);
    if (isReplay) for (const frame of frames.restart()) await this.socket.send(frame);
    this.isRunning = true;
    await this.ports.relay.run(
      {
        generationId,
        scope: this.opened.scope,
        after: 0,
        stream: this.sinkOf(frames),
      },
      { cancelOnLeave: false },
    );
    if (this.socket.signal.aborted) return false;
    this.isRunning = false;
    if (frames.hasEnded && frames.failure === null) return true;
    await this.socket.send(
      failureFrame(frames.failure ?? renderFault({ code: "generation.connection-lost" })),
    );
    await this.end();
    return false;
  }

  /** null: there was no reply in time, or the connection was lost. */
  private async nextReply(): Promise<Feedback | null> {
    if (this.replies.length === 0)
      await new Promise<void>((resolve) => {
        const { signal } = this.socket;
        const finish = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", finish);
          this.onReply = null;
          resolve();
        };
        const timer = setTimeout(finish, this.ports.idleMs);
        this.onReply = finish;
        signal.addEventListener("abort", finish, { once: true });
        if (signal.aborted) finish();
      });
    return this.replies.shift() ?? null;
  }

  /** Reads a generation for the socket. */
  private sinkOf(frames: TurnFrames): FrameSink {
    const { socket, ports, opened } = this;
    return {
      carrel: true,
      signal: socket.signal,
      leftByClient: true,
      send: async (data) => {
        for (const frame of frames.add(JSON.parse(data) as GenerationFrame)) {
          await socket.send(frame);
          if (isFileCard(frame) && !socket.signal.aborted)
            await socket.send(await ports.files.frameFor(opened.scope, frame.content));
        }
      },
      end: () => undefined,
    };
  }
}

const lengthOf = ({ feedback, attachments }: Feedback): number =>
  (attachments ?? []).reduce((sum, each) => sum + each.contentString.length, feedback.length);

/** The question was refused, with a text for the person. */
class SessionRefused extends Error {
  override readonly name = "SessionRefused";
}
