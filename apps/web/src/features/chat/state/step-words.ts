import type { TFunction } from "i18next";
import { isKnownTool } from "../../../lib/step-texts.ts";
import type { StepLine } from "./answer-parts.ts";

type Form = "do" | "doing" | "did";
const formOf = ({ state }: StepLine): Form =>
  state === "running" ? "doing" : state === "done" ? "did" : "do";

/** What tools of MCP servers are called by people: without the server, and what made it unique. */
function readTool({ skill, tool }: StepLine): { tool: string; server: string | null } {
  if (!skill.startsWith("mcp:")) return { tool, server: null };
  const server = skill.slice("mcp:".length);
  // As models see it (libs/mcp/src/tool-name.ts).
  const prefix = `${server
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "")}-`;
  if (!tool.startsWith(prefix)) return { tool, server };
  return { tool: tool.slice(prefix.length).replace(/(?<=.)_[0-9a-f]{10}$/, ""), server };
}

/** What a step does, without its object: "Searching documents", "Searched documents". */
export function verbOf(t: TFunction<"steps">, step: StepLine, form: Form = formOf(step)): string {
  const { tool, server } = readTool(step);
  // First, because a server's tool may be called like one of ours.
  if (server !== null) return t(`ofServer.${form}`, { tool, server });
  return isKnownTool(tool) ? t(`tool.${tool}.${form}`) : t(`other.${form}`, { tool });
}

/** A step in one text, for screen readers. */
export const sayStep = (t: TFunction<"steps">, step: StepLine, form?: Form): string =>
  [verbOf(t, step, form), step.object].filter(Boolean).join(": ");
