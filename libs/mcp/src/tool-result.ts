import { clipText } from "@carrel/contracts";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { readableText } from "./tool-schema.ts";

/** Characters of a result that are kept. */
const longestResult = 1_000_000;

type Block = CallToolResult["content"][number];

const sizeOf = (base64: string): string =>
  `${Math.max(1, Math.round((base64.length * 3) / 4 / 1024))} kB`;

export function describeBlock(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type}: ${block.mimeType}, ${sizeOf(block.data)}]`;
    case "resource_link":
      return `[resource: ${block.title ?? block.name}, ${block.uri}]${
        block.description === undefined ? "" : ` ${block.description}`
      }`;
    case "resource":
      return describeResource(block.resource);
    default:
      return `[${String((block as { type: unknown }).type)}]`;
  }
}

export function describeResource(resource: {
  uri: string;
  mimeType?: string | undefined;
  text?: string;
  blob?: string;
}): string {
  if (typeof resource.text === "string") return `[resource: ${resource.uri}]\n${resource.text}`;
  const size = typeof resource.blob === "string" ? `, ${sizeOf(resource.blob)}` : "";
  return `[resource: ${resource.uri}, ${resource.mimeType ?? "binary"}${size}]`;
}

/** What a tool returned, for the model. Structured content is left out if the text says the same. */
export function describeResult({
  content = [],
  structuredContent,
}: Partial<CallToolResult>): string {
  const parts = content.map(describeBlock);
  if (structuredContent !== undefined) {
    const json = JSON.stringify(structuredContent);
    if (!content.some((block) => block.type === "text" && isSameJson(block.text, json)))
      parts.push(json);
  }
  return cut(parts.join("\n\n"));
}

function isSameJson(text: string, json: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}

export function cut(text: string): string {
  // Lone halves of characters can't be stored.
  const whole = text.toWellFormed().replaceAll("\u0000", "");
  return whole.length <= longestResult
    ? whole
    : `${clipText(whole, longestResult)}\n[The rest of the result, ${whole.length - longestResult} characters, was left out.]`;
}

/** A tool's own words about what went wrong, for a message to people. */
export const shortReason = (text: string): string =>
  clipText(readableText(text).replace(/\s+/g, " "), 300);
