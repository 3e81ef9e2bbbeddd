// A program that speaks only the oldest protocol, ends at anything it doesn't know, and lists tools
// that break the specification, in pages.
import { createInterface } from "node:readline";

const tools = [
  {
    name: "good",
    description: "Works.\u200B\u{E0041}",
    inputSchema: { type: "object", properties: { a: { type: "number" } } },
  },
  { name: "no-schema" },
  { name: "array-schema", inputSchema: { type: "array" } },
  {
    name: "bad-reference",
    inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/none" } } },
  },
  {
    name: "bad-pattern",
    inputSchema: { type: "object", properties: { a: { type: "string", pattern: "(" } } },
  },
  {
    name: "bad-type",
    inputSchema: { type: "object", properties: { a: { type: "text" } } },
    annotations: { readOnlyHint: "yes" },
  },
  { name: 5 },
  { description: "nameless" },
  null,
  { name: "good", description: "Twice." },
  {
    name: "a tool with spaces & ümlauts, whose name is much longer than models can call it by",
    inputSchema: { type: "object" },
  },
];
const prompts = [
  {
    name: "good",
    description: "Works.\u200B",
    icons: "none",
    arguments: [{ name: "a", required: "no" }],
  },
  { name: 5 },
  { name: "bad-arguments", arguments: [{ description: "nameless" }] },
  {
    name: "many-arguments",
    arguments: Array.from({ length: 51 }, (_, at) => ({ name: `a${at}` })),
  },
  null,
];
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
process.stdout.write("Starting up, not JSON\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: "2024-11-05",
        capabilities: { tools: {}, prompts: {} },
        serverInfo: { name: "old", version: "0" },
      },
    });
  else if (method === "tools/list") {
    const at = Number(params?.cursor ?? 0);
    send({
      id,
      result: {
        tools: tools.slice(at, at + 3),
        ...(at + 3 < tools.length ? { nextCursor: String(at + 3) } : {}),
      },
    });
  } else if (method === "prompts/list") send({ id, result: { prompts } });
  else if (method === "tools/call" && params.arguments?.refuse === true)
    send({ id, error: { code: -32602, message: "There is no ticket 17." } });
  else if (method === "tools/call")
    send({ id, result: { content: [{ type: "text", text: `called ${params.name}` }] } });
  else if (!method.startsWith("notifications/")) process.exit(1);
});
