import type { KnownFault } from "@carrel/contracts";
import type { Archive } from "./archive.ts";
import { cleanText } from "./decode-text.ts";
import type { Block } from "./office-block.ts";
import { readOptionalPart, type Relation } from "./office-part.ts";
import { readChart } from "./read-chart.ts";
import { readXmlPart } from "./read-xml.ts";

const readers = new Map([
  ["chart", readChart],
  ["chartEx", readChart],
  ["diagramData", readDiagram],
]);

/** The text of a chart or diagram; null if it is damaged, or the relation is of another kind. */
export async function readDrawing(
  archive: Archive,
  { type, target }: Relation,
  note: (note: KnownFault) => void,
): Promise<Block[] | null> {
  const read = readers.get(type);
  return read ? readOptionalPart(() => read(archive, target), note) : null;
}

interface Point {
  lines: string[];
  children: { id: string; order: number }[];
}

/** Text of a diagram (SmartArt), each shape followed by those below it. */
async function readDiagram(archive: Archive, part: string): Promise<Block[]> {
  const points = new Map<string, Point>();
  let point: Point | null = null;
  let line = "";
  let inText = false;
  let root = "";
  await readXmlPart(archive, part, {
    open: (name, attributes) => {
      if (name === "pt") {
        point = { lines: [], children: [] };
        points.set(attributes.modelId ?? "", point);
        if (attributes.type === "doc") root = attributes.modelId ?? "";
      } else if (name === "cxn" && (attributes.type ?? "parOf") === "parOf")
        points
          .get(attributes.srcId ?? "")
          ?.children.push({ id: attributes.destId ?? "", order: Number(attributes.srcOrd) || 0 });
      else if (name === "t") inText = point !== null;
      else if (name === "br") line += " ";
    },
    text: (text) => {
      if (inText) line += text;
    },
    close: (name) => {
      if (name === "p" && point) {
        const text = cleanText(line).replace(/\s+/g, " ").trim();
        if (text !== "") point.lines.push(text);
        line = "";
      } else if (name === "r" || name === "pt") inText = false;
      if (name === "pt") point = null;
    },
  });
  const lines: string[] = [];
  // Points that no other leads to follow at the end; each is written once.
  const stack = [...points.keys()].reverse();
  if (points.has(root)) stack.push(root);
  while (stack.length > 0) {
    const id = stack.pop()!;
    const next = points.get(id);
    if (!next) continue;
    points.delete(id);
    lines.push(...next.lines);
    for (const child of next.children.sort((a, b) => b.order - a.order)) stack.push(child.id);
  }
  return lines.length === 0 ? [] : [{ kind: "paragraph", text: lines.join("\n") }];
}
