import type { Transport } from "@modelcontextprotocol/client";
import { readTool } from "./listed-tool.ts";
import { readPrompt } from "./prompt.ts";

/**
 * Drops what can't be a tool or prompt from lists before the SDK reads them, which would refuse all
 * of a server's because of one.
 */
export function tolerateBadEntries(transport: Transport): void {
  let receive = transport.onmessage;
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () => receive,
    set: (next: Transport["onmessage"]) => {
      receive =
        next === undefined
          ? undefined
          : (message, extra) => {
              repairLists(message);
              next(message, extra);
            };
    },
  });
}

function repairLists(message: unknown): void {
  const { result } = message as { result?: { tools?: unknown; prompts?: unknown } };
  if (Array.isArray(result?.prompts))
    result.prompts = result.prompts.flatMap((entry: unknown) => {
      const prompt = readPrompt(entry);
      if (prompt === null) return [];
      const { title, arguments: asked, ...named } = prompt;
      return [
        {
          ...named,
          ...(title !== null && { title }),
          arguments: asked.map(({ title: each, isRequired, ...argument }) => ({
            ...argument,
            ...(each !== null && { title: each }),
            required: isRequired,
          })),
        },
      ];
    });
  if (!Array.isArray(result?.tools)) return;
  result.tools = result.tools.flatMap((entry: unknown) => {
    if (readTool(entry) === null) return [];
    const {
      inputSchema,
      outputSchema: _,
      icons: __,
      annotations,
      ...tool
    } = entry as {
      [key: string]: unknown;
    };
    const isSchema = typeof inputSchema === "object" && inputSchema !== null;
    const schema = isSchema
      ? { ...inputSchema, type: (inputSchema as { type?: unknown }).type ?? "object" }
      : { type: "object" };
    return [
      {
        name: tool.name,
        ...(typeof tool.title === "string" ? { title: tool.title } : {}),
        ...(typeof tool.description === "string" ? { description: tool.description } : {}),
        inputSchema:
          (schema as { type: unknown }).type === "object"
            ? schema
            : { type: "object", not: { $ref: "bad" } },
        ...(typeof annotations === "object" && annotations !== null
          ? { annotations: cleanHints(annotations as Record<string, unknown>) }
          : {}),
      },
    ];
  });
}

const cleanHints = (hints: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(hints).filter(([name, value]) =>
      name === "title" ? typeof value === "string" : typeof value === "boolean",
    ),
  );
