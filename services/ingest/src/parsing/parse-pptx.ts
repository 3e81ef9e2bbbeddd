import type { KnownFault } from "@carrel/contracts";
import { Archive } from "./archive.ts";
import { cleanText } from "./decode-text.ts";
import { readRelations } from "./office-part.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { readXmlPart } from "./read-xml.ts";
import { TextBuilder } from "./text-builder.ts";
import { writeTable, type Table } from "./write-rows.ts";

const what: KnownFault = { code: "file-kind.presentation" };
/** Placeholders that repeat on every slide. */
const furniture = new Set(["sldNum", "ftr", "dt", "hdr", "sldImg"]);

interface Slide {
  title: string;
  paragraphs: string[];
}

/** Text of one slide or its notes: the title, paragraphs of shapes, and tables as rows. */
async function readSlide(archive: Archive, part: string): Promise<Slide> {
  const slide: Slide = { title: "", paragraphs: [] };
  let placeholder: string | null = null;
  let paragraph = "";
  let inText = false;
  let table: Table | null = null;
  let cell: string[] | null = null;
  await readXmlPart(archive, part, {
    open: (name, attributes) => {
      if (name === "sp") placeholder = null;
      else if (name === "ph") placeholder = attributes.type ?? "body";
      else if (name === "p") paragraph = "";
      else if (name === "t") inText = true;
      else if (name === "br") paragraph += "\n";
      else if (name === "tbl") table = { rows: [], headerRows: 0 };
      else if (name === "tblPr" && table && ["1", "true"].includes(attributes.firstRow ?? ""))
        table.headerRows = 1;
      else if (name === "tr") table?.rows.push([]);
      else if (name === "tc") cell = [];
    },
    text: (text) => {
      if (inText) paragraph += text;
    },
    close: (name) => {
      if (name === "t") inText = false;
      else if (name === "p") {
        const text = paragraph.trim();
        paragraph = "";
        if (text === "" || (placeholder !== null && furniture.has(placeholder))) return;
        if (cell) cell.push(text);
        else if (placeholder === "title" || placeholder === "ctrTitle")
          slide.title = `${slide.title} ${text}`.trim();
        else slide.paragraphs.push(text);
      } else if (name === "tc") {
        table?.rows.at(-1)?.push(cell?.join("\n") ?? "");
        cell = null;
      } else if (name === "tbl" && table) {
        slide.paragraphs.push(...writeTable(table));
        table = null;
      } else if (name === "sp") placeholder = null;
    },
  });
  return slide;
}

/** Slides in order, each as a page with its title as heading, its diagrams and its notes. */
export async function parsePptx(bytes: Uint8Array): Promise<ParsedText> {
  const archive = await Archive.open(bytes, what);
  const main = "ppt/presentation.xml";
  if (!archive.has(main)) throw new UnreadableError({ code: "file.zip-without-presentation" });
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
  const relations = await readRelations(archive, main);
  const out = new TextBuilder(what);
  for (const [index, id] of ids.entries()) {
    const part = relations.get(id)?.target;
    if (part === undefined) continue;
    const slide = await readSlide(archive, part);
    out.startPage();
    out.addHeading(cleanText(slide.title) || `Slide ${index + 1}`, 1);
    for (const paragraph of slide.paragraphs) out.addParagraph(cleanText(paragraph));
    for (const { type, target } of (await readRelations(archive, part)).values()) {
      if ((type !== "notesSlide" && type !== "diagramData") || !archive.has(target)) continue;
      const { paragraphs } = await readSlide(archive, target);
      if (paragraphs.length > 0)
        out.addParagraph(
          cleanText(
            type === "notesSlide" ? `Notes: ${paragraphs.join("\n")}` : paragraphs.join("\n"),
          ),
        );
    }
  }
  return out.build();
}
