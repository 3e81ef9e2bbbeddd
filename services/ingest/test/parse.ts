import { expect } from "@jest/globals";
import { parseFile } from "../src/parsing/parse-file.ts";
import { UnreadableError } from "../src/parsing/parsed-document.ts";

export const parse = (filename: string, content: string | Uint8Array, mime: string | null = null) =>
  parseFile({
    bytes: typeof content === "string" ? Buffer.from(content) : content,
    filename,
    mime,
  });
export const reason = async (filename: string, content: string | Uint8Array): Promise<string> => {
  const fault: unknown = await parse(filename, content).then(
    () => null,
    (e: unknown) => e,
  );
  expect(fault).toBeInstanceOf(UnreadableError);
  return (fault as UnreadableError).message;
};
export const headingsOf = (parsed: {
  text: string;
  headings: { start: number; title: string; level: number }[];
}) =>
  parsed.headings.map((heading) => {
    expect(parsed.text.slice(heading.start)).toContain(heading.title.slice(0, 5));
    return `${heading.level} ${heading.title}`;
  });
