import {
  CarrelError,
  clipText,
  flowSteps,
  parseJson,
  publishedTypes,
  toCommand,
  type FlowStep,
  type HubPublication,
  type In,
  type preparePublication,
  type PublishedType,
} from "@carrel/contracts";
import { z } from "zod";

type Publication = In<typeof preparePublication>;
interface Common {
  name: string;
  description: string;
  tags: string[];
  visibility: "public" | "private";
}

/** An item that is published. */
export type NewItem = Common &
  (
    | { itemType: "system-prompt"; prompt: string }
    | { itemType: "slash-command"; command: string; prompt: string }
    | { itemType: "agent-flow"; flow: { name: string; description: string; steps: FlowStep[] } }
  );

const isPublished = (type: string): type is PublishedType =>
  (publishedTypes as readonly string[]).includes(type);
const missing = (field: keyof HubPublication): CarrelError =>
  new CarrelError("hub.publish-field", { field });
const givenFlow = z.object({ steps: flowSteps });

/** Throws `hub.publish-type` and `hub.publish-field`. Fields of other types are left out. */
export function readNewItem(given: Publication): NewItem {
  const { type, name, description, tags, visibility, prompt = "" } = given;
  if (!isPublished(type)) throw new CarrelError("hub.publish-type", { type });
  if (name === "") throw missing("name");
  const common = { name, description, tags: [...new Set(tags.filter(Boolean))], visibility };
  if (type === "agent-flow") {
    const parsed = givenFlow.safeParse(readJsonText(given.flow));
    if (!parsed.success) throw missing("flow");
    return { ...common, itemType: type, flow: { name, description, steps: parsed.data.steps } };
  }
  if (prompt.trim() === "") throw missing("prompt");
  if (type === "system-prompt") return { ...common, itemType: type, prompt };
  const command = toCommand(given.command ?? "");
  if (command === null) throw missing("command");
  if (prompt.length > 20_000) throw missing("prompt");
  return { ...common, itemType: type, command, prompt };
}

function readJsonText(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return parseJson(given);
  } catch {
    return undefined;
  }
}

export const itemFile = "item.json";
/** Where hubs that are folders or repositories have it. */
export const itemPath = ({ itemType }: NewItem, id: string): string =>
  `${itemType}/${id}/${itemFile}`;

/** The ID that suits a name. */
export function toItemId(name: string): string {
  const plain = name.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  const words = clipText(plain.replace(/[^a-z0-9]+/g, "-"), 60);
  return words.replace(/^-|-$/g, "") || "item";
}

/** `item.json` of hubs that are folders or repositories. */
export const toItemFile = (item: NewItem): string => `${JSON.stringify(item, null, 2)}\n`;
