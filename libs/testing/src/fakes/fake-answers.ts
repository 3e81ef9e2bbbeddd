import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { answerTokens, type FakeBehaviour } from "./behaviour.ts";
import { sendJson } from "./send-json.ts";
import type { TokenClock } from "./token-clock.ts";
import type { FakeAnswer, FakeQuestion, FakeToolCall, FakeWire } from "./wire.ts";

interface PlannedAnswer extends Omit<FakeAnswer, "text" | "reasoning"> {
  tokens: string[];
  reasoning: string[];
}

function planAnswer(behaviour: FakeBehaviour, question: FakeQuestion): PlannedAnswer {
  const tokens = answerTokens(behaviour, question.lastMessage);
  const toolCalls = (behaviour.toolCalls ?? []).map((call, index): FakeToolCall => ({
    id: `call_${index + 1}`,
    ...call,
  }));
  return {
    tokens,
    reasoning: behaviour.reasoning ?? [],
    toolCalls,
    reason: behaviour.finishReason ?? (toolCalls.length > 0 ? "tool-calls" : "stop"),
    usage:
      behaviour.usage === false
        ? null
        : {
            inputTokens: question.promptTokens,
            outputTokens: tokens.length,
            cachedTokens: behaviour.cachedTokens ?? 0,
            reasoningTokens: behaviour.reasoningTokens ?? 0,
          },
  };
}

/** Number of tokens after which the answer stops, if it does. */
const lastToken = (behaviour: FakeBehaviour, tokens: readonly string[]): number =>
  Math.min(
    tokens.length,
    behaviour.breakAfter ?? Infinity,
    behaviour.endAfter ?? Infinity,
    behaviour.malformedAfter ?? Infinity,
    behaviour.errorAfter ?? Infinity,
    typeof behaviour.hang === "number" ? behaviour.hang : Infinity,
  );

/** Writes answers, at once or token by token. */
export class FakeAnswers {
  openStreams = 0;

  constructor(private readonly clock: TokenClock) {}

  async send(
    wire: FakeWire,
    body: Record<string, unknown>,
    behaviour: FakeBehaviour,
    response: ServerResponse,
  ): Promise<void> {
    const question = wire.read(body);
    if (behaviour.usage === "always") question.includeUsage = true;
    const answer = planAnswer(behaviour, question);
    if (question.stream) return this.stream(wire, question, answer, behaviour, response);
    const { tokens, reasoning, ...rest } = answer;
    await behaviour.after;
    const ms = (behaviour.firstDelayMs ?? 0) + tokens.length * (behaviour.delayMs ?? 0);
    if (ms > 0) await wait(ms, undefined, { ref: false });
    const whole = { ...rest, text: tokens.join(""), reasoning: reasoning.join("") };
    sendJson(response, 200, wire.whole(question, whole));
  }

  private stream(
    wire: FakeWire,
    question: FakeQuestion,
    { tokens, reasoning, toolCalls, reason, usage }: PlannedAnswer,
    behaviour: FakeBehaviour,
    response: ServerResponse,
  ): void {
    const writer = wire.writer(question);
    const { encoding = "utf8" } = wire;
    response.writeHead(200, {
      "content-type": wire.contentType,
      "cache-control": "no-cache",
      "x-request-id": "req_fake",
    });
    let sent = 0;
    let over = false;
    this.openStreams++;
    response.on("close", () => {
      over = true;
      this.openStreams--;
    });
    const opening = writer.start(usage) + reasoning.map((text) => writer.reasoning(text)).join("");
    if (opening) response.write(opening, encoding);
    else response.flushHeaders();
    const delay = behaviour.delayMs ?? 0;
    let startedAt = performance.now() + (behaviour.firstDelayMs ?? 0);
    const limit = lastToken(behaviour, tokens);
    const end = (data: string): void => {
      if (typeof behaviour.hang === "number") {
        if (data) response.write(data, encoding);
      } else if (behaviour.breakAfter !== undefined)
        response.write(data || "\n", encoding, () => response.destroy());
      else if (behaviour.endAfter !== undefined) response.end(data, encoding);
      else if (behaviour.malformedAfter !== undefined)
        response.end(data + wire.malformed, encoding);
      else if (behaviour.errorAfter !== undefined)
        response.end(data + writer.error("The fake vendor broke off."), encoding);
      else if (behaviour.neverEnds === true)
        response.write(data + writer.end(reason, null).replace("data: [DONE]\n\n", ""), encoding);
      else
        response.end(
          data +
            toolCalls.map((call) => writer.toolCall(call)).join("") +
            writer.end(reason, usage),
          encoding,
        );
    };
    const step = (): void => {
      if (over) return;
      // A late tick sends everything due in one write, as a real server's socket would.
      const due =
        delay === 0
          ? limit
          : Math.min(limit, Math.floor((performance.now() - startedAt) / delay) + 1);
      let data = "";
      while (sent < due) data += writer.text(tokens[sent++]!);
      if (sent === limit) return end(data);
      if (data) response.write(data, encoding);
      this.clock.at(startedAt + sent * delay, step);
    };
    if (behaviour.after)
      void behaviour.after.then(() => {
        startedAt = performance.now();
        step();
      });
    else if (delay === 0 && !behaviour.firstDelayMs) step();
    else this.clock.at(startedAt, step);
  }
}
