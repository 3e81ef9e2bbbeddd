import type { Archive } from "./archive.ts";
import { cleanText } from "./decode-text.ts";
import { paragraph, type Block } from "./office-block.ts";
import { readXmlPart } from "./read-xml.ts";

/** Names of a presentation's commenters by id, from its list of authors. */
export async function readAuthors(archive: Archive, part: string): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  await readXmlPart(archive, part, {
    open: (name, attributes) => {
      if (name === "cmAuthor" || name === "author")
        authors.set(attributes.id ?? "", cleanText(attributes.name ?? "").trim());
    },
  });
  return authors;
}

/** Comments on a slide and replies to them, each with its author. */
export async function readComments(
  archive: Archive,
  part: string,
  authors: ReadonlyMap<string, string>,
): Promise<Block[]> {
  const comments: { author: string; text: string }[] = [];
  /** A reply stands in its comment, before the comment's own text. */
  const open: { author: string; text: string }[] = [];
  let isText = false;
  await readXmlPart(archive, part, {
    open: (name, attributes) => {
      if (name === "cm" || name === "reply") {
        const comment = { author: authors.get(attributes.authorId ?? "") ?? "", text: "" };
        open.push(comment);
        comments.push(comment);
      } else if (name === "t" || name === "text") isText = true;
      else if (name === "br" && open.length > 0) open.at(-1)!.text += "\n";
    },
    text: (text) => {
      if (isText && open.length > 0) open.at(-1)!.text += text;
    },
    close: (name) => {
      if (name === "t" || name === "text") isText = false;
      else if (name === "p" && open.length > 0) open.at(-1)!.text += "\n";
      else if (name === "cm" || name === "reply") open.pop();
    },
  });
  return comments.flatMap(({ author, text }) => {
    const clean = cleanText(text).trim();
    return clean === "" ? [] : [paragraph(`Comment${author && ` by ${author}`}: ${clean}`)];
  });
}
