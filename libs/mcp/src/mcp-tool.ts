import { clipText } from "@carrel/contracts";
import { ToolError, type Tool } from "@carrel/skills";
import type { McpConnection } from "./connection.ts";
import type { ListedTool } from "./listed-tool.ts";
import { cut, describeResource, describeResult, shortReason } from "./tool-result.ts";

/**
 * A server's tool as agents call it. Only what the server marks as reading is used without asking:
 * everything else may send data or change something there.
 *
 * @param destination where its input goes, for people who approve a call
 * @param isApproved whether an admin has approved its description as it is now
 */
export function toTool(
  connection: McpConnection,
  listed: ListedTool,
  name: string,
  destination: string,
  isApproved = false,
): Tool {
  const { isReadOnly, isIdempotent } = listed;
  return {
    skill: `mcp:${connection.name}`,
    name,
    description: listed.description || listed.title || listed.name,
    hasUnapprovedDescription: !isApproved,
    input: listed.schema,
    effect: isReadOnly ? "none" : "send",
    isUntrusted: true,
    isRepeatable: isReadOnly || isIdempotent,
    approval: isReadOnly ? "never" : "always",
    object: (input) => firstText(input),
    describe: (input) => ({
      destination,
      details: Object.entries(Object(input) as Record<string, unknown>).map(([label, value]) => ({
        label,
        value: typeof value === "string" ? value : JSON.stringify(value),
      })),
    }),
    run: async (input, call) => {
      const result = await connection.call(listed, input, call);
      const text = describeResult(result);
      if (result.isError === true)
        throw new ToolError(text || "The tool reported an error without a reason.", {
          code: "mcp.tool-failed",
          params: { tool: listed.name, reason: shortReason(text) },
        });
      return { text };
    },
  };
}

/** Names of the tools that `resourceTools` returns, before they are made unique. */
export const resourceToolNames = ["list-resources", "read-resource", "request-resource"] as const;

/**
 * Tools that read a server's resources, in the order of `resourceToolNames`. A URI could carry
 * anything to the server, so only those that it has listed itself are used without asking.
 */
export function resourceTools(
  connection: McpConnection,
  names: readonly string[],
  destination: string,
): Tool[] {
  const common = {
    skill: `mcp:${connection.name}`,
    effect: "none",
    isUntrusted: true,
    isRepeatable: true,
    approval: "never",
  } as const;
  const list: Tool = {
    ...common,
    name: names[0]!,
    description: `Lists the resources of ${connection.name}, which ${names[1]!} reads.`,
    input: { type: "object", properties: {}, additionalProperties: false },
    run: async (_, { signal }) => {
      const resources = await connection.listResources(signal);
      const lines = resources.map(
        ({ uri, name, mime }) => `${uri} ${name}${mime ? ` (${mime})` : ""}`,
      );
      return { text: cut(lines.join("\n") || "There are none.") };
    },
  };
  const byUri = {
    input: {
      type: "object",
      properties: { uri: { type: "string" } },
      required: ["uri"],
      additionalProperties: false,
    },
    object: firstText,
    describe: (input: unknown) => ({
      destination,
      details: [{ label: "uri", value: uriOf(input) }],
    }),
  };
  const readText = async (input: unknown, signal: AbortSignal) => {
    const contents = await connection.readResource(uriOf(input), signal);
    return { text: cut(contents.map(describeResource).join("\n\n")) };
  };
  const read: Tool = {
    ...common,
    ...byUri,
    name: names[1]!,
    description: `Reads a resource that ${connection.name} lists, by its URI.`,
    run: async (input, { signal }) => {
      const listed = await connection.listResources(signal);
      if (!listed.some(({ uri }) => uri === uriOf(input)))
        throw new ToolError(`${connection.name} doesn't list this resource.`);
      return readText(input, signal);
    },
  };
  const request: Tool = {
    ...common,
    ...byUri,
    name: names[2]!,
    description: `Requests a resource that ${connection.name} doesn't list, by a URI from its instructions or results.`,
    effect: "send",
    approval: "when-tainted",
    run: (input, { signal }) => readText(input, signal),
  };
  return [list, read, request];
}

const uriOf = (input: unknown): string => String((input as { uri?: unknown }).uri);

/** What a call is about: the first of its values that is a short text. */
function firstText(input: unknown): string | null {
  const values = Object.values(Object(input) as Record<string, unknown>);
  const text = values.find(
    (value): value is string => typeof value === "string" && value.trim() !== "",
  );
  return text === undefined ? null : clipText(text.replace(/\s+/g, " "), 80);
}

/** A tool by the server's name for it, or one of ours for its resources. */
export function findTool(connection: McpConnection, name: string): Tool | null {
  const listed = connection.tools.find((tool) => tool.name === name);
  if (listed !== undefined) return toTool(connection, listed, name, connection.name);
  if (connection.extras.resources === 0) return null;
  const ours = resourceTools(connection, resourceToolNames, connection.name);
  return ours.find((tool) => tool.name === name) ?? null;
}

/** Calls a tool once outside a run, where nobody can be asked. Throws ToolError. */
export async function testCall(tool: Tool, input: unknown, timeoutMs: number): Promise<string> {
  const { text } = await tool.run(input, {
    signal: AbortSignal.timeout(timeoutMs),
    key: crypto.randomUUID(),
    nextSource: 1,
    progress: () => undefined,
    ask: (questions) => Promise.resolve(questions.map(() => null)),
  });
  return text;
}
