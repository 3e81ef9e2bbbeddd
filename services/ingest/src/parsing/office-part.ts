import path from "node:path/posix";
import type { KnownFault } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import type { Archive } from "./archive.ts";
import { cleanText } from "./decode-text.ts";
import { paragraph, type Block } from "./office-block.ts";
import { UnreadableError } from "./parsed-document.ts";
import { readXmlPart } from "./read-xml.ts";

/**
 * Alternatives for one piece of content (`mc:AlternateContent`): a newer form, and what older
 * versions show instead. The first one with content is read, so that nothing comes twice.
 */
export class AlternateContent {
  private readonly alternatives: { shownBefore: number; hasChoice: boolean }[] = [];

  /** Says that an element starts; whether to leave it out. `shown` counts what has been shown. */
  skips(name: string, shown: number): boolean {
    if (name === "AlternateContent")
      this.alternatives.push({ shownBefore: shown, hasChoice: false });
    const innermost = this.alternatives.at(-1);
    if (!innermost || (name !== "Choice" && name !== "Fallback")) return false;
    const isRead = innermost.hasChoice && shown > innermost.shownBefore;
    innermost.hasChoice = true;
    return isRead;
  }

  close(name: string): void {
    if (name === "AlternateContent") this.alternatives.pop();
  }
}

/** English Metric Units, in which Office measures drawings. */
const perCentimetre = 360_000;
const perPoint = 12_700;
/** Smaller pictures are icons, rules and bullets. */
const leastWidth = 2 * perCentimetre;
const leastHeight = 0.8 * perCentimetre;

/** Whether a picture is drawn large enough to show text; sizes in EMU. */
export const isShown = ({ width, height }: { width: number; height: number }): boolean =>
  !(width < leastWidth || height < leastHeight);

/** The size in a VML shape's style; unknown sizes are NaN. */
export function sizeInStyle(style: string): { width: number; height: number } {
  const read = (name: string): number => {
    const [, value, unit] = new RegExp(`(?:^|;)\\s*${name}:([\\d.]+)(pt|in|px)?`).exec(style) ?? [];
    return Number(value) * perPoint * (unit === "in" ? 72 : unit === "px" ? 0.75 : 1);
  };
  return { width: read("width"), height: read("height") };
}

const perUnit: Record<string, number> = {
  cm: perCentimetre,
  mm: perCentimetre / 10,
  in: perCentimetre * 2.54,
  pt: perPoint,
};

/** A length such as 2.5cm in EMU; NaN if it isn't one. */
export function lengthOf(text: string): number {
  const [, value, unit = ""] = /^([\d.]+)(cm|mm|in|pt)$/.exec(text) ?? [];
  return Number(value) * (perUnit[unit] ?? NaN);
}

/** What Word and PowerPoint add to descriptions that they generated. */
const generated =
  /\s*(?:Description automatically generated(?: with (?:low|medium|high) confidence)?|AI-generated content may be incorrect\.?|Automatisch generierte Beschreibung|Beschreibung automatisch generiert|KI-generierte Inhalte können fehlerhaft sein\.?|Description générée automatiquement)\s*/gi;
/** A file's name or address, which writers put there when nobody describes the picture. */
const fileName =
  /^(?:[a-z]+:\/\/\S+|[^\n]*[\\/][^\s\\/]+|[^\n]{0,200})\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$/i;

/** The description of a picture as a block, if somebody wrote one. */
export function altText(description: string): Block[] {
  const text = cleanText(clipText(description, 5_000))
    .replace(generated, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text === "" || fileName.test(text) ? [] : [paragraph(`[Image: ${text}]`)];
}

/** A relationship of an Office part: the last segment of its type, and its target part. */
export interface Relation {
  type: string;
  target: string;
}

/** Targets of a part's relationships by id, without external links. */
export async function readRelations(
  archive: Archive,
  part: string,
): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  const name = `${path.dirname(part)}/_rels/${path.basename(part)}.rels`.replace(/^\.\//, "");
  if (!archive.has(name)) return relations;
  await readXmlPart(archive, name, {
    open: (element, { Id: id, Type: type = "", Target: target = "", TargetMode: mode }) => {
      if (element !== "Relationship" || id === undefined || mode === "External") return;
      relations.set(id, {
        type: type.slice(type.lastIndexOf("/") + 1),
        target: archive.resolve(
          target.startsWith("/") ? target.slice(1) : path.join(path.dirname(part), target),
        ),
      });
    },
  });
  return relations;
}

const damages = new Set(["file.damaged", "file.damaged-from-line"]);

/**
 * Reads a chart, diagram or other part that a document can do without. Null if it is damaged, which
 * is noted: the text is worth more.
 */
export async function readOptionalPart<T>(
  read: () => Promise<T>,
  note: (note: KnownFault) => void,
): Promise<T | null> {
  try {
    return await read();
  } catch (fault) {
    if (!(fault instanceof UnreadableError) || !damages.has(fault.fault.code)) throw fault;
    note({ code: "file-note.drawing-damaged" });
    return null;
  }
}
