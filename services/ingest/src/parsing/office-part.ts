import path from "node:path/posix";
import type { KnownFault } from "@carrel/contracts";
import type { Archive } from "./archive.ts";
import { UnreadableError } from "./parsed-document.ts";
import { readXmlPart } from "./read-xml.ts";

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
