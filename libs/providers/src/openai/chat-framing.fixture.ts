import { sse, type StreamShape } from "../http/stream-shape.fixture.ts";
import { say, alpha, omega, stop, whole, answer } from "./chat-chunks.fixture.ts";

export const chatFraming: StreamShape[] = [
  {
    name: "events called a page",
    body: answer,
    contentType: "text/html; charset=UTF-8",
    text: whole,
  },
  {
    name: "an empty error with each event",
    body: sse({ ...alpha, error: {} }, { ...omega, error: null }, { ...stop, error: "" }),
    text: whole,
  },
  { name: "a byte order mark", body: `\uFEFF${answer}`, text: whole },
  { name: "CRLF", body: answer.replaceAll("\n", "\r\n"), text: whole },
  { name: "CR", body: answer.replaceAll("\n", "\r"), text: whole },
  { name: "no blank after data:", body: answer.replaceAll("data: ", "data:"), text: whole },
  { name: "no blank lines", body: answer.replaceAll("\n\n", "\n"), text: whole },
  {
    name: "comments",
    body: `: keep-alive\n\n${sse(alpha)}: OPENROUTER PROCESSING\n\n${sse(omega, stop)}:\n\n`,
    text: whole,
  },
  {
    name: "comments as data",
    body: sse(": ping", alpha, ": keep-alive", "ping", omega, stop, "[DONE]"),
    text: whole,
  },
  {
    name: "names and numbers",
    body: answer.replaceAll("data:", "id: 7\nevent: message\nretry: 10\ndata:"),
    text: whole,
  },
  {
    name: "data on several lines",
    body: answer.replaceAll('"created"', '\ndata: "created"'),
    text: whole,
  },
  {
    name: "letters of several bytes",
    body: sse(say("Tschüß "), say("👩‍👧 ✓ 日本")),
    text: "Tschüß 👩‍👧 ✓ 日本",
    reason: null,
    fault: ["disconnected"],
  },
  {
    name: "one object per line",
    body: answer.replaceAll("data: ", "").replaceAll("\n\n", "\n"),
    contentType: "application/x-ndjson",
    text: whole,
  },
  { name: "null as an event", body: sse("null", alpha, omega, "[DONE]"), text: whole },
  {
    name: "a broken event",
    body: `${sse(alpha)}data: {"id":"c1","choi\n\n`,
    text: "Alpha ",
    reason: null,
    fault: ["disconnected"],
  },
  {
    name: "text as an event",
    body: sse("upstream is overloaded"),
    reason: null,
    fault: ["internal-error", "upstream is overloaded"],
  },
];
