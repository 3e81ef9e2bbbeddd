// A program of 2025-06-18 that asks without saying for which call. `hang` never ends, `ask` returns
// how its question was answered.
import { createInterface } from "node:readline";

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const requestedSchema = { type: "object", properties: { city: { type: "string" } } };
let asking = null;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "asking", version: "0" },
      },
    });
  else if (method === "tools/list")
    send({
      id,
      result: {
        tools: ["hang", "ask", "die"].map((name) => ({ name, inputSchema: { type: "object" } })),
      },
    });
  else if (method === "tools/call" && params.name === "ask") {
    asking = id;
    send({
      id: "question",
      method: "elicitation/create",
      params: { message: "Where to?", requestedSchema },
    });
  } else if (method === "tools/call" && params.name === "die") process.exit(1);
  else if (id === "question")
    send({ id: asking, result: { content: [{ type: "text", text: result.action }] } });
  else if (method !== "tools/call" && !method?.startsWith("notifications/")) process.exit(1);
});
