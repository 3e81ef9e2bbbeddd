import type { HubItemType, PublishedType } from "@carrel/contracts";

/** In the order in which they are offered. */
export const hubTypes = [
  "system-prompt",
  "slash-command",
  "agent-flow",
  "agent-skill",
] as const satisfies readonly HubItemType[];

/** A type as part of a text's key. */
export const typeKey = {
  "system-prompt": "prompt",
  "slash-command": "command",
  "agent-flow": "flow",
  "agent-skill": "skill",
} as const satisfies Record<HubItemType, string>;

/** As far as its form tells. */
export const isImportId = (text: string): boolean =>
  /^allm-community-id:[a-z-]+:[A-Za-z0-9][\w-]*$/.test(text.trim());

export interface ListSearch {
  type?: HubItemType;
  search?: string;
}

export function readListSearch({ type, search }: Record<string, unknown>): ListSearch {
  const known = hubTypes.find((each) => each === type);
  const text = typeof search === "string" || typeof search === "number" ? String(search) : "";
  return { ...(known && { type: known }), ...(text !== "" && { search: text }) };
}

export interface PublishSearch {
  type?: PublishedType;
  /** Of a slash command or flow, or a workspace's slug. */
  of?: string;
}

export function readPublishSearch({ type, of }: Record<string, unknown>): PublishSearch {
  const known = hubTypes.find((each) => each === type && each !== "agent-skill");
  return {
    ...(known && { type: known as PublishedType }),
    ...((typeof of === "string" || typeof of === "number") && { of: String(of) }),
  };
}
