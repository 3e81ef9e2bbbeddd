import type { KnownFault } from "@carrel/contracts";
import type { Archive } from "./archive.ts";
import type { Block } from "./office-block.ts";
import { readOptionalPart, type Relation } from "./office-part.ts";
import { readChart } from "./read-chart.ts";
import { readDiagram } from "./read-diagram.ts";

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
