import { commaSeparated, flag } from "@carrel/config";
import { mostSchedules } from "@carrel/contracts";
import { parseAgentFolders } from "@carrel/skills";
import { z } from "zod";

/** This service's variables; shared ones are in @carrel/config. */
export const chatShape = {
  /**
   * Maximum number of concurrent generations per replica; others wait in the queue, visible to the
   * user. They spend most of their time waiting for the provider: a thousand take about 60 MB plus
   * their texts (4 MB each at most, usually a few kB).
   */
  CARREL_CHAT_GENERATIONS: z.coerce.number().int().min(1).max(10_000).default(1_024),
  /**
   * How long an agent waits for an approval, or for the answer to a question, before it goes on
   * without.
   */
  CARREL_AGENT_WAIT_SECONDS: z.coerce.number().int().min(1).max(86_400).default(1_800),
  /** How many schedules a person can have, unless an admin sets another limit. */
  CARREL_SCHEDULES_PER_PERSON: z.coerce.number().int().min(0).max(mostSchedules).default(20),
  /** The shortest time between two runs of a schedule. */
  CARREL_SCHEDULE_MIN_SECONDS: z.coerce.number().int().min(60).max(604_800).default(60),
  /** Days for which deleted threads can be restored; 0 deletes them at once. */
  CARREL_TRASH_DAYS: z.coerce.number().int().min(0).max(3_650).default(0),
  /**
   * How many days to keep the record of how an answer was produced, about 5 kB each; 0 keeps none.
   */
  CARREL_INSPECTION_DAYS: z.coerce.number().int().min(0).max(3_650).default(30),
  /**
   * Providers whose own tool calling isn't used (ids, separated by commas; `true` for all): tools
   * are described in the prompt instead (wire-contract.md 5.1).
   */
  PROVIDER_DISABLE_NATIVE_TOOL_CALLING: commaSeparated
    .default([])
    .transform((ids): true | readonly string[] =>
      ids.length === 1 && /^(?:1|true|yes|on|all)$/i.test(ids[0]!) ? true : ids,
    ),
  /**
   * Skills whose calls need no approval (ids, separated by commas), except in answers that have read
   * content of others.
   */
  AGENT_AUTO_APPROVED_SKILLS: commaSeparated.default([]),
  /** Folders of the server that agents may use: `[name=]/path[:rw]`. */
  CARREL_AGENT_FOLDERS: commaSeparated
    .transform((entries, context) => {
      try {
        return parseAgentFolders(entries);
      } catch (error) {
        context.addIssue({ code: "custom", message: (error as Error).message });
        return z.NEVER;
      }
    })
    .default([]),
  /**
   * Whether MCP servers may be programs that run on this machine although the instance has user
   * accounts; without them, they always may.
   */
  CARREL_MCP_COMMANDS: flag.default(false),
  /** Intranet hosts that agents, and MCP servers' sign-ins, may reach, as for links (`services/connectors`). */
  CARREL_LINK_ALLOW: commaSeparated.default([]),
};
export type ChatConfig = Readonly<z.output<z.ZodObject<typeof chatShape>>>;
