import { clipText } from "@carrel/contracts";
import type { GetPromptResult } from "@modelcontextprotocol/client";
import { describeBlock, describeResource } from "./tool-result.ts";
import { readableText } from "./tool-schema.ts";

/** A prompt as a server lists it, made safe to show. */
export interface ListedPrompt {
  name: string;
  title: string | null;
  description: string;
  arguments: { name: string; title: string | null; description: string; isRequired: boolean }[];
}

const longestName = 200;
const longestDescription = 1_000;
const mostArguments = 50;

const isName = (name: unknown): name is string =>
  typeof name === "string" && name !== "" && name.length <= longestName;
const titleOf = (title: unknown): string | null =>
  typeof title === "string" ? clipText(readableText(title), longestName) || null : null;
const descriptionOf = (text: unknown): string =>
  typeof text === "string" ? clipText(readableText(text), longestDescription) : "";

/** Returns null for an entry that can't be a prompt. */
export function readPrompt(entry: unknown): ListedPrompt | null {
  const declared = Object(entry) as Record<string, unknown>;
  const { name } = declared;
  const asked: unknown = declared.arguments ?? [];
  if (!isName(name) || !Array.isArray(asked) || asked.length > mostArguments) return null;
  const read = asked.map((each: unknown) => Object(each) as Record<string, unknown>);
  if (!read.every((each) => isName(each.name))) return null;
  return {
    name,
    title: titleOf(declared.title),
    description: descriptionOf(declared.description),
    arguments: read.map((each) => ({
      name: each.name as string,
      title: titleOf(each.title),
      description: descriptionOf(each.description),
      isRequired: each.required === true,
    })),
  };
}

type Message = GetPromptResult["messages"][number];

/** Media type of what a text can't contain, or a resource's address; null: a text has all of it. */
function unreadable({ content }: Message): string | null {
  switch (content.type) {
    case "text":
    case "resource_link":
      return null;
    case "resource":
      return "text" in content.resource ? null : content.resource.uri;
    default:
      return content.mimeType;
  }
}

/**
 * A prompt's messages as one text, without characters that nobody sees: a person reads it before it
 * is sent. `leftOut`: media types and addresses of the parts that aren't text.
 */
export function describePrompt({ messages }: GetPromptResult): {
  text: string;
  leftOut: string[];
} {
  const hasReplies = messages.some(({ role }) => role === "assistant");
  const texts = messages
    .filter((message) => unreadable(message) === null)
    .map(({ role, content }) => {
      const text = readableText(
        content.type === "resource" ? describeResource(content.resource) : describeBlock(content),
      );
      // One text can't have two roles, so it names them.
      return text !== "" && hasReplies
        ? `${role === "user" ? "User" : "Assistant"}:\n${text}`
        : text;
    });
  return {
    text: texts.filter((text) => text !== "").join("\n\n"),
    leftOut: messages
      .map(unreadable)
      .filter((part) => part !== null)
      .map((part) => clipText(readableText(part), longestName)),
  };
}
