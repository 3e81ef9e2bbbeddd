import type { Archive } from "./archive.ts";
import { readXmlPart } from "./read-xml.ts";

/** Elements that hold the letters of a title: Office's runs and cells, OpenDocument's paragraphs. */
const holdsText = new Set(["t", "v", "p", "span"]);

/**
 * The titles of a sheet's chart and its axes in one line; empty if it has none. Its data are in the
 * cells.
 */
export async function readChartTitles(archive: Archive, part: string): Promise<string> {
  if (!archive.has(part)) return "";
  const titles: string[] = [];
  const path: string[] = [];
  let title: string | null = null;
  await readXmlPart(archive, part, {
    open: (name) => {
      path.push(name);
      if (name === "title") title = "";
      else if (name === "p" && title) title += " ";
    },
    text: (text) => {
      if (title !== null && holdsText.has(path.at(-1)!)) title += text;
    },
    close: (name) => {
      path.pop();
      if (name !== "title" || title === null) return;
      const clean = title.replace(/\s+/g, " ").trim();
      if (clean !== "") titles.push(clean);
      title = null;
    },
  });
  return titles.length === 0 ? "" : `Chart: ${titles.join(", ")}`;
}
