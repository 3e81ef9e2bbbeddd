import { parseArgs } from "node:util";
import type { FakeBehaviour } from "./behaviour.ts";
import { startFakeLlm } from "./fake-llm.ts";

interface Message {
  role?: string;
}

/**
 * Has a model that is offered tools read results of earlier steps this many times before it answers,
 * one call a reply. Reading one that doesn't exist costs an agent nothing.
 */
const callTools =
  (steps: number) =>
  ({ tools, messages }: Record<string, unknown>): FakeBehaviour => {
    const all = (messages ?? []) as Message[];
    const asked = all.findLastIndex(({ role }) => role === "user");
    const made = all.slice(asked + 1).filter(({ role }) => role === "tool").length;
    return tools === undefined || made >= steps
      ? {}
      : { toolCalls: [{ name: "read-result", input: { step: 100 + made, part: 1 } }] };
  };

// The fake model in its own process, for benchmarks: prints {"url","port"} on one line, ends on
// SIGTERM or SIGINT.
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    tokens: { type: "string" },
    delay: { type: "string" },
    "first-delay": { type: "string" },
    "embedding-delay": { type: "string" },
    echo: { type: "boolean", default: false },
    steps: { type: "string" },
  },
});
const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);
const fake = await startFakeLlm({
  port: Number(values.port),
  keep: 10,
  tokens: number(values.tokens),
  delayMs: number(values.delay),
  firstDelayMs: number(values["first-delay"]),
  embeddingDelayMs: number(values["embedding-delay"]),
  ...(values.echo && { reply: "echo" as const }),
  ...(values.steps !== undefined && { choose: callTools(Number(values.steps)) }),
});
process.stdout.write(`${JSON.stringify({ url: fake.url, port: fake.port })}\n`);
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, () => void fake.stop().then(() => process.exit(0)));
