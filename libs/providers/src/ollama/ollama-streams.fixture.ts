import { lines, sse, type StreamShape } from "../http/stream-shape.fixture.ts";

const whole = "Alpha Omega.";
const json = "application/json";

// Ollama's API (docs.ollama.com/api, 2026).

const ollamaSay = (message: object) => ({
  model: "m",
  created_at: "2026-01-01T00:00:00Z",
  message: { role: "assistant", ...message },
  done: false,
});
const ollamaEnd = (done_reason?: string) => ({
  ...ollamaSay({ content: "" }),
  done: true,
  ...(done_reason !== undefined && { done_reason }),
});
const ollamaAlpha = ollamaSay({ content: "Alpha " });

export const ollamaShapes: StreamShape[] = [
  {
    name: "stop",
    body: lines(ollamaAlpha, ollamaSay({ content: "Omega." }), ollamaEnd("stop")),
    text: whole,
  },
  { name: "no reason", body: lines(ollamaSay({ content: whole }), ollamaEnd()), text: whole },
  {
    name: "CRLF and a mark",
    body: `\uFEFF${lines(ollamaSay({ content: whole }), ollamaEnd("stop")).replaceAll("\n", "\r\n")}`,
    text: whole,
  },
  {
    name: "no last newline",
    body: lines(ollamaSay({ content: whole }), ollamaEnd("stop")).trimEnd(),
    text: whole,
  },
  {
    name: "length",
    body: lines(ollamaAlpha, ollamaEnd("length")),
    text: "Alpha ",
    reason: "length",
  },
  {
    name: "unload",
    body: lines(ollamaAlpha, ollamaEnd("unload")),
    text: "Alpha ",
    reason: "incomplete",
  },
  { name: "load", body: lines(ollamaEnd("load")), reason: "incomplete" },
  {
    name: "a reason that is new",
    body: lines(ollamaAlpha, ollamaEnd("newest")),
    text: "Alpha ",
    reason: "other",
  },
  {
    name: "thinking",
    body: lines(
      ollamaSay({ content: "", thinking: "Hm." }),
      ollamaSay({ content: whole }),
      ollamaEnd("stop"),
    ),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "thinking in tags",
    body: lines(
      ollamaSay({ content: "<think>Hm." }),
      ollamaSay({ content: `</think>\n${whole}` }),
      ollamaEnd("stop"),
    ),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "a bare end",
    body: lines(
      ollamaSay({ content: "Hm.\n" }),
      ollamaSay({ content: "</think>" }),
      ollamaSay({ content: `\n\n${whole}` }),
      ollamaEnd("stop"),
    ),
    reasoning: "Hm.\n",
    text: whole,
  },
  {
    name: "a call alone",
    body: lines(
      ollamaSay({
        content: "",
        tool_calls: [{ id: "t", function: { name: "lookup", arguments: {} } }],
      }),
      ollamaEnd("stop"),
    ),
    calls: ["lookup"],
    reason: "tool-calls",
  },
  {
    name: "an error mid-stream",
    body: lines(ollamaAlpha, { error: "an error was encountered while running the model" }),
    text: "Alpha ",
    reason: null,
    fault: ["internal-error", "an error was encountered"],
  },
  {
    name: "an error at once",
    body: lines({ error: "model requires more system memory" }),
    contentType: json,
    reason: null,
    fault: ["internal-error", "more system memory"],
  },
  {
    name: "a gateway's error",
    body: lines({ detail: "no such luck" }),
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
  {
    name: "no end",
    body: lines(ollamaAlpha),
    text: "Alpha ",
    reason: null,
    fault: ["disconnected"],
  },
  {
    name: "one object on several lines",
    body: JSON.stringify(
      { ...ollamaEnd("stop"), message: { role: "assistant", content: whole } },
      null,
      2,
    ),
    contentType: json,
    text: whole,
  },
  {
    name: "events",
    body: sse(ollamaAlpha, ollamaSay({ content: "Omega." }), ollamaEnd("stop")),
    text: whole,
  },
];
