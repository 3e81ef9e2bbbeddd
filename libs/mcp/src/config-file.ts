import {
  clipText,
  CarrelError,
  mcpServerConfig,
  mcpServerName,
  type McpServerConfig,
} from "@carrel/contracts";
import { z } from "zod";

/** One server of a configuration file. */
export interface ImportedServer {
  name: string;
  config: McpServerConfig;
  autoStart: boolean;
  suppressedTools: string[];
}

const file = z.object({ mcpServers: z.record(z.string(), z.unknown()) });
const own = z.object({
  autoStart: z.boolean().catch(true).default(true),
  suppressedTools: z.array(z.string().max(1_000)).max(10_000).catch([]).default([]),
});
const entry = z.looseObject({
  command: z.unknown().optional(),
  url: z.unknown().optional(),
  type: z.unknown().optional(),
  anythingllm: z.unknown().optional(),
});

/**
 * Reads `anythingllm_mcp_servers.json` (wire-contract 5.10), which is also what other clients keep.
 * Throws CarrelError `mcp.file-invalid`; an entry that can't be read is reported as one.
 */
export function readConfigFile(
  text: string,
): { name: string; server: ImportedServer | null; reason: string }[] {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new CarrelError("mcp.file-invalid", { reason: "it isn't JSON." });
  }
  const parsed = file.safeParse(json);
  if (!parsed.success)
    throw new CarrelError("mcp.file-invalid", { reason: "it has no object named mcpServers." });
  return Object.entries(parsed.data.mcpServers).map(([name, value]) => {
    try {
      return { name, server: readServer(name, value), reason: "" };
    } catch (error) {
      return { name, server: null, reason: reasonOf(error) };
    }
  });
}

function readServer(name: string, value: unknown): ImportedServer {
  const { command, url, type, anythingllm, ...rest } = entry.parse(value);
  const config = mcpServerConfig.parse(
    command === undefined
      ? { kind: "address", url, transport: transportOf(type), headers: rest.headers }
      : { kind: "command", command, args: rest.args, env: rest.env },
  );
  return { name: mcpServerName.parse(name), config, ...own.parse(anythingllm ?? {}) };
}

function transportOf(type: unknown): string {
  if (type === "streamable" || type === "http" || type === "streamable-http") return "streamable";
  return type === "sse" ? "sse" : "auto";
}

function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return "it can't be read.";
  const [issue] = error.issues;
  return clipText(`${issue!.path.join(".") || "name"}: ${issue!.message}`, 200);
}
