import { sse } from "../http/stream-shape.fixture.ts";

// Chat completions as compatible servers send them: OpenAI's published definition (openai-openapi),
// FastAPI's and vLLM's errors, OpenRouter's comments and errors, and bug reports of gateways.

export const head = { id: "c1", object: "chat.completion.chunk", created: 1, model: "m" };
export const choice = (delta: object | null, finish_reason: string | null = null) => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason }],
});
export const say = (content: string) => choice({ content });
export const alpha = say("Alpha ");
export const omega = say("Omega.");
export const stop = choice({}, "stop");
export const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
export const whole = "Alpha Omega.";
export const answer = sse(alpha, omega, stop, "[DONE]");
export const calling = choice({
  role: "assistant",
  tool_calls: [
    { index: 0, id: "t1", type: "function", function: { name: "lookup", arguments: '{"a":1}' } },
  ],
});
export const completion = (message: object, finish_reason: string | null = "stop") => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason, message: { role: "assistant", ...message } }],
  usage,
});
export const json = "application/json";
