import { cleanText } from "./decode-text.ts";
import { decodePage, readMail, type MailPart } from "./mail-body.ts";
import { parseHtml } from "./parse-html.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";

function* leaves(part: MailPart): Generator<MailPart> {
  if (part.parts.length === 0) yield part;
  for (const inner of part.parts) yield* leaves(inner);
}

/**
 * A page saved with its pictures as one file: a mail whose first page is the one that was saved. Its
 * frames are read only if it says nothing itself.
 */
export async function parseMhtml(bytes: Uint8Array): Promise<ParsedText> {
  const { root, facts } = await readMail(bytes).catch((cause: unknown) => {
    throw new UnreadableError(
      { code: "file.damaged", params: { what: { code: "file-kind.page" } } },
      { cause },
    );
  });
  const parts = [...leaves(root)];
  const pages = parts.filter(({ type }) => /^(?:text\/html|application\/xhtml\+xml)$/.test(type));
  for (const page of pages) {
    const parsed = parseHtml(decodePage(page), { isTitled: true });
    if (parsed.text !== "") return parsed;
  }
  const plain = parts.find(({ type }) => type === "text/plain");
  const out = new TextBuilder({ code: "file-kind.page" });
  out.addHeading(cleanText(facts.subject ?? ""), 1);
  out.addParagraph(cleanText(plain?.text() ?? ""));
  return out.build();
}
