import { domainToASCII } from "node:url";
import type { Tool } from "@carrel/skills";

const mostHosts = 20;
/** What a DNS name can have. */
const longestHost = 253;

/**
 * The hosts that a call goes to, for the event log, and nothing else of its destination: people and
 * models write the rest, such as addresses and names of folders.
 */
export function listHosts(
  { skill, effect }: Pick<Tool, "skill" | "effect">,
  destination: string,
): string[] {
  const parts = destination.split(/[\s,;<>"]+/u);
  const found = parts.map((part) => hostOfAddress(part) ?? domainOfMail(part));
  // A server's name stands before its host; pages are named by their host alone.
  if (skill.startsWith("mcp:")) found.push(hostOf(/\(([^()\s]+)\)$/.exec(destination)?.[1] ?? ""));
  // A plugin's are named by themselves.
  else if (skill.startsWith("@@")) found.push(...parts.map(hostOf));
  else if (effect === "fetch") found.push(hostOf(destination));
  return [...new Set(found)]
    .filter((host) => host !== null && host.length <= longestHost)
    .slice(0, mostHosts) as string[];
}

const hostOfAddress = (text: string): string | null => URL.parse(text)?.host || null;
const domainOfMail = (text: string): string | null =>
  text.includes("@") ? domainToASCII(text.slice(text.lastIndexOf("@") + 1)) || null : null;

function hostOf(text: string): string | null {
  const url = text.includes(".") || text.includes(":") ? URL.parse(`https://${text}`) : null;
  return url?.href === `https://${url?.host}/` ? url.host : null;
}
