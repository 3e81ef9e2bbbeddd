import { sse, type StreamShape } from "../http/stream-shape.fixture.ts";
import { alpha, json, omega, stop } from "./chat-chunks.fixture.ts";

/** Errors with status 200, each as JSON, as an event and as an event named error. */
const errors: [name: string, error: unknown, fault: [string, string?]][] = [
  [
    "error.message",
    { error: { message: "Invalid key in 200", code: 401 } },
    ["key-rejected", "Invalid key in 200"],
  ],
  ["error text", { error: "no such luck" }, ["internal-error", "no such luck"]],
  [
    "error with a type",
    { error: { type: "rate_limit_error", message: "slow down" } },
    ["rate-limited", "slow down"],
  ],
  ["detail", { detail: "context length exceeded" }, ["prompt-too-long", "context length exceeded"]],
  [
    "detail of FastAPI",
    { detail: [{ loc: ["body", "model"], msg: "Field required", type: "missing" }] },
    ["internal-error", "model: Field required"],
  ],
  ["detail object", { detail: { error: "no such luck" } }, ["internal-error", "no such luck"]],
  ["message and code", { message: "no such luck", code: 500 }, ["internal-error", "no such luck"]],
  [
    "errors",
    { errors: [{ message: "no such luck" }, "nor that"] },
    ["internal-error", "no such luck; nor that"],
  ],
  [
    "object error",
    { object: "error", message: "no such luck", type: "BadRequestError", code: 400 },
    ["request-rejected", "no such luck"],
  ],
  ["object error without words", { object: "error" }, ["internal-error"]],
  [
    "OpenRouter's cause",
    {
      error: {
        message: "Provider returned error",
        code: 429,
        metadata: { raw: '{"error":{"message":"no such luck"}}' },
      },
    },
    ["rate-limited", "no such luck"],
  ],
  [
    "a gateway's JSON in a text",
    { error: { message: '{"error":{"message":"no such luck"}}' } },
    ["internal-error", "no such luck"],
  ],
];

const inAllForms = errors.flatMap(([name, error, fault]): StreamShape[] => {
  const text = JSON.stringify(error);
  const broken = { reason: null, fault };
  return [
    { name: `${name} in JSON`, body: text, contentType: json, ...broken },
    {
      name: `${name} in a list`,
      body: `[${JSON.stringify(error, null, 1)}]`,
      contentType: json,
      ...broken,
    },
    {
      name: `${name} in an event`,
      body: sse(alpha, error as object, "[DONE]"),
      text: "Alpha ",
      ...broken,
    },
    {
      name: `${name} in an event called error`,
      body: `${sse(alpha)}event: error\ndata: ${text}\n\n`,
      text: "Alpha ",
      ...broken,
    },
  ];
});

export const chatFaults: StreamShape[] = [
  ...inAllForms,
  {
    name: "what the server does",
    body: sse(
      alpha,
      { type: "status", message: "Searching the web" },
      { title: "Found" },
      omega,
      stop,
    ),
    text: "Alpha Omega.",
  },
  {
    name: "words alone",
    body: sse({ message: "no such luck" }, "[DONE]"),
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
  {
    name: "a type and words",
    body: sse(alpha, { type: "server_error", message: "no such luck" }),
    text: "Alpha ",
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
  {
    name: "a log between events",
    body: `${sse(alpha)}[info] queue position 3\n{waiting}\n${sse(omega, stop)}`,
    text: "Alpha Omega.",
  },
  {
    name: "words in an event called error",
    body: "event: error\ndata: no such luck\n\n",
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
  {
    name: "an empty event called error",
    body: `${sse(alpha)}event: error\n\n`,
    text: "Alpha ",
    reason: null,
    fault: ["internal-error"],
  },
];
