import type { ContentClient } from "@carrel/egress";
import robotsParser from "robots-parser";
import { throwStatus } from "./source-fault.ts";

/** A CommonJS function, whose types declare it as a default export. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

const agent = "Carrel";
/** RFC 9309 lets crawlers ignore what is beyond 500 KiB; no honest file comes near this. */
const readCharacters = 100_000;
/** A rule with more wildcards would take too long to compare with every address. */
const maxWildcards = 4;
const maxDelaySeconds = 30;

/** What a site asks of programs. */
export interface Robots {
  allows(address: string): boolean;
  /** Pause between two requests that the site asks for, in ms. */
  delayMs: number;
  sitemaps: string[];
}

/** Reads a site's robots.txt; without one, everything may be read (RFC 9309). */
export async function readRobotsFile(
  origin: string,
  { content, signal }: { content: Pick<ContentClient, "fetch">; signal: AbortSignal },
): Promise<Robots> {
  const address = `${origin}/robots.txt`;
  const reply = await content.fetch(address, { signal });
  if (reply.status === 429 || reply.status >= 500) throwStatus(reply);
  const text = reply.status >= 200 && reply.status <= 299 ? reply.body.toString("utf8") : "";
  const rules = text
    .slice(0, readCharacters)
    .split(/\r\n|\r|\n/)
    .filter((line) => line.split("*").length <= maxWildcards + 1)
    .join("\n");
  const robots = parseRobots(address, rules);
  return {
    allows: (url) => robots.isAllowed(url, agent) !== false,
    delayMs: Math.min(maxDelaySeconds, Math.max(0, robots.getCrawlDelay(agent) ?? 0)) * 1_000,
    sitemaps: robots.getSitemaps().slice(0, 10),
  };
}
