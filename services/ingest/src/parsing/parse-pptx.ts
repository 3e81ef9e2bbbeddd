import type { KnownFault } from "@carrel/contracts";
import { Archive } from "./archive.ts";
import { cleanText } from "./decode-text.ts";
import { readDrawing } from "./inserted-drawing.ts";
import { paragraph, type Block } from "./office-block.ts";
import { readRelations, type Relation } from "./office-part.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { readPictures } from "./read-pictures.ts";
import { readXmlPart } from "./read-xml.ts";
import type { Recognition } from "./recognise-text.ts";
import { SlideReader } from "./slide-reader.ts";
import { TextBuilder } from "./text-builder.ts";
import { textOfBlocks, writeBlocks } from "./write-blocks.ts";

const what: KnownFault = { code: "file-kind.presentation" };

/** Reads a slide or its notes with its charts and diagrams. */
async function readSlide(
  archive: Archive,
  part: string,
  relations: ReadonlyMap<string, Relation>,
  out: TextBuilder,
): Promise<SlideReader> {
  const inserted = new Map<string, Block[]>();
  for (const [id, relation] of relations) {
    if (!archive.has(relation.target)) continue;
    const blocks = await readDrawing(archive, relation, (note) => out.note(note));
    if (blocks) inserted.set(id, blocks);
  }
  const reader = new SlideReader(relations, inserted);
  await readXmlPart(archive, part, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  });
  return reader;
}

/** Ids of the slides' relations, in the order of the show. */
async function readOrder(archive: Archive, main: string): Promise<string[]> {
  const ids: string[] = [];
  await readXmlPart(archive, main, {
    open: (name, attributes) => {
      if (name === "sldId")
        ids.push(
          attributes["r:id"] ??
            Object.entries(attributes).find(
              ([key, value]) => key.endsWith("id") && !/^\d+$/.test(value),
            )?.[1] ??
            "",
        );
    },
  });
  return ids;
}

/**
 * Slides in order, each as a page with its title as heading, its shapes, its notes and comments.
 * Headers and footers are read where they first appear.
 */
export async function parsePptx(
  bytes: Uint8Array,
  recognition: Recognition | null = null,
): Promise<ParsedText> {
  const archive = await Archive.open(bytes, what);
  const main =
    [...(await readRelations(archive, "")).values()].find(({ type }) => type === "officeDocument")
      ?.target ?? "ppt/presentation.xml";
  if (!archive.has(main)) throw new UnreadableError({ code: "file.zip-without-presentation" });
  const relations = await readRelations(archive, main);
  const authors = new Map<string, string>();
  for (const { type, target } of relations.values())
    if ((type === "commentAuthors" || type === "authors") && archive.has(target))
      for (const [id, name] of await readAuthors(archive, target)) authors.set(id, name);
  const out = new TextBuilder(what);
  const blocks: Block[] = [];
  const pictures = new Set<string>();
  const margins = new Set<string>();
  for (const [index, id] of (await readOrder(archive, main)).entries()) {
    const part = relations.get(id)?.target;
    if (part === undefined) continue;
    const related = await readRelations(archive, part);
    const slide = await readSlide(archive, part, related, out);
    const title = cleanText(slide.title) || `Slide ${index + 1}`;
    blocks.push({ kind: "slide", title: slide.isHidden ? `${title} (hidden slide)` : title });
    for (const block of slide.blocks) blocks.push(block);
    for (const picture of slide.pictures) pictures.add(picture);
    for (const text of slide.margins) {
      if (!margins.has(text)) blocks.push(paragraph(text));
      margins.add(text);
    }
    for (const { type, target } of related.values()) {
      if (!archive.has(target)) continue;
      if (type === "notesSlide") {
        const own = await readRelations(archive, target);
        const notes = await readSlide(archive, target, own, out);
        const text = textOfBlocks(notes.blocks);
        if (text !== "") blocks.push(paragraph(`Notes: ${text}`));
      } else if (type === "comments")
        for (const comment of await readComments(archive, target, authors)) blocks.push(comment);
    }
  }
  const texts = await readPictures(archive, pictures, recognition, out);
  writeBlocks(out, blocks, texts);
  return out.build();
}

/** Names of a presentation's commenters by id, from its list of authors. */
async function readAuthors(archive: Archive, part: string): Promise<Map<string, string>> {
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
async function readComments(
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
