import type { UserPart } from "../spec/message.ts";

/** A single text is sent as a string, which every server accepts. */
export function convertUserContent<Part>(
  content: string | UserPart[],
  convertPart: (part: UserPart) => Part,
): string | Part[] {
  if (typeof content === "string") return content;
  if (content.length === 1 && content[0]!.type === "text") return content[0]!.text;
  return content.map(convertPart);
}
