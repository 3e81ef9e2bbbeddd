import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import {
  McpServer,
  ResourceTemplate,
  acceptedContent,
  fromJsonSchema,
  inputRequired,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** What a test asks of the server; set by variables of a program's environment. */
export interface FixtureOptions {
  /** Description of the tool `look`. */
  look?: string;
  /** Number of tools named tool-0, tool-1… */
  many?: number;
}

const schema = (properties: Record<string, unknown>, required: string[] = []) =>
  fromJsonSchema<Record<string, string>>({ type: "object", properties, required } as never);
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

/** A server with tools of every kind, written with the official SDK. */
export function makeFixtureServer({ look = "Looks something up.", many = 0 }: FixtureOptions = {}) {
  const server = new McpServer(
    { name: "fixture", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true }, prompts: { listChanged: true } } },
  );
  server.registerTool(
    "look",
    {
      description: look,
      inputSchema: schema({ query: { type: "string" } }, ["query"]),
      annotations: { readOnlyHint: true },
    },
    ({ query }) => text(`found ${query}`),
  );
  server.registerTool(
    "write",
    {
      description: "Writes.",
      inputSchema: schema({ text: { type: "string" } }),
      annotations: { idempotentHint: true },
    },
    () => text("written"),
  );
  server.registerTool("environment", { description: "Its variables." }, () =>
    text(JSON.stringify(process.env)),
  );
  server.registerTool("everything", { description: "All kinds of content." }, () => ({
    content: [
      { type: "text", text: "A text." },
      { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///notes.md", text: "# Notes" } },
      { type: "resource_link", uri: "file:///more.md", name: "more" },
    ],
    structuredContent: { sum: 3 },
  }));
  server.registerTool("fail", { description: "Fails." }, () => ({
    ...text("No such ticket: 17"),
    isError: true,
  }));
  server.registerTool("die", { description: "Ends the server." }, () => process.exit(3));
  server.registerTool("hang", { description: "Never ends." }, () => new Promise(() => undefined));
  server.registerTool("huge", { description: "A large result." }, () =>
    text("x".repeat(3_000_000)),
  );
  server.registerTool("too-huge", { description: "Too large a result." }, () =>
    text("x".repeat(20_000_000)),
  );
  server.registerTool("flood", { description: "Writes to its log." }, async () => {
    for (let at = 0; at < 20_000; at++) process.stderr.write(`line ${at}\n`);
    return text("flooded");
  });
  server.registerTool(
    "offspring",
    { description: "Starts a process.", inputSchema: schema({ file: { type: "string" } }) },
    ({ file }) => {
      const child = spawn("sleep", ["300"], { stdio: "ignore" });
      writeFileSync(file!, String(child.pid));
      return text(String(child.pid));
    },
  );
  server.registerTool("slow", { description: "Reports its progress." }, async (ctx) => {
    for (let done = 1; done <= 4; done++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await ctx.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken: ctx.mcpReq._meta!.progressToken!, progress: done, total: 4 },
      });
    }
    return text("slowly done");
  });
  server.registerTool("grow", { description: "Adds a tool." }, () => {
    server.registerTool("grown", { description: "A new one." }, () => text("grown"));
    return text("ok");
  });
  const form = z.object({
    city: z.string(),
    nights: z.number().default(2),
    sure: z.boolean(),
  });
  server.registerTool("book", { description: "Asks first." }, (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, "form", form);
    const seen = ctx.mcpReq.inputResponses?.form as { action?: string } | undefined;
    if (answer) return text(`booked ${JSON.stringify(answer)}`);
    if (seen) return text(`not booked: ${seen.action}`);
    return inputRequired({
      inputRequests: {
        form: inputRequired.elicit({ message: "Where to?", requestedSchema: form }),
      },
    });
  });
  for (let at = 0; at < many; at++)
    server.registerTool(`tool-${at}`, { description: `Number ${at}.` }, () => text(String(at)));
  server.registerResource("notes", "file:///notes.md", { mimeType: "text/markdown" }, () => ({
    contents: [{ uri: "file:///notes.md", text: "# Notes" }],
  }));
  server.registerResource(
    "person",
    new ResourceTemplate("person:///{name}", { list: undefined }),
    {},
    ({ href }) => ({ contents: [{ uri: href, text: `asked for ${href}` }] }),
  );
  registerPrompts(server);
  return server;
}

const said = (value: string, role: "user" | "assistant" = "user") => ({
  role,
  content: { type: "text" as const, text: value },
});

function registerPrompts(server: McpServer): void {
  server.registerPrompt("greet", { description: "Greets." }, () => ({
    messages: [said("Hello")],
  }));
  server.registerPrompt(
    "review",
    {
      title: "Review a ticket",
      description: "Asks for a review.",
      argsSchema: z.object({
        ticket: z.string().describe("Its number"),
        tone: z.string().optional(),
      }),
    },
    ({ ticket, tone = "kindly" }) => ({
      messages: [
        said(`Review ticket ${ticket} ${tone}.\u{E0041}\u202E`),
        { role: "user", content: { type: "image", data: "aGVsbG8=", mimeType: "image/png" } },
        {
          role: "user",
          content: { type: "resource", resource: { uri: "file:///notes.md", text: "# Notes" } },
        },
        {
          role: "user",
          content: { type: "resource", resource: { uri: "file:///plan.bin", blob: "aGVsbG8=" } },
        },
      ],
    }),
  );
  server.registerPrompt("dialogue", {}, () => ({
    messages: [said("Which pump?"), said("The loud one.", "assistant"), said("Why?")],
  }));
  server.registerPrompt("picture", {}, () => ({
    messages: [
      { role: "user", content: { type: "image", data: "aGVsbG8=", mimeType: "image/png" } },
    ],
  }));
  server.registerPrompt("long", {}, () => ({ messages: [said("ß".repeat(100_001))] }));
  server.registerPrompt("longest", {}, () => ({ messages: [said("ß".repeat(100_000))] }));
  server.registerPrompt("refuse", {}, () => {
    throw new Error("There is no ticket 17.");
  });
  server.registerPrompt("grow-prompts", {}, () => {
    server.registerPrompt("grown", {}, () => ({ messages: [said("grown")] }));
    return { messages: [said("ok")] };
  });
}
