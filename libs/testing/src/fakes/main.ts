import { parseArgs } from "node:util";
import { callTools } from "./call-tools.ts";
import { startFakeLlm } from "./fake-llm.ts";

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
