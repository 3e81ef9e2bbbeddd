import { z } from "zod";

/** The characters and length that every vendor accepts. */
export const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** A tool that the client runs. `inputSchema` is a JSON Schema. */
export const toolDefinition = z.object({
  name: toolName,
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
});

export type ClientTool = z.infer<typeof toolDefinition>;

export const toolChoice = z.union([
  z.enum(["auto", "none", "required"]),
  z.object({ tool: toolName }),
]);

export type ClientToolChoice = z.infer<typeof toolChoice>;

/** Restricts the answer to JSON. `schema` is a JSON Schema. */
export const outputFormat = z.object({
  name: toolName,
  schema: z.record(z.string(), z.unknown()),
});

export type ClientOutputFormat = z.infer<typeof outputFormat>;

/** `input` is JSON as the model wrote it, which may be malformed. */
export const toolCall = z.object({ id: z.string(), name: z.string(), input: z.string() });

export type ToolCall = z.infer<typeof toolCall>;

/** What followed a question: the model's calls and the results of the client's tools. */
export const toolExchange = z.array(
  z.discriminatedUnion("role", [
    z.object({ role: z.literal("assistant"), text: z.string(), calls: z.array(toolCall) }),
    z.object({ role: z.literal("tool"), id: z.string(), name: z.string(), output: z.string() }),
  ]),
);

export type ToolExchange = z.infer<typeof toolExchange>;
