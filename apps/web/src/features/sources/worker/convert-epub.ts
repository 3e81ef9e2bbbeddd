import JSZip from "jszip";
import { dataUrlOf, folderOf, resolvePath, type ConvertedDocument } from "./conversion.ts";
import { decodeText } from "./decode-text.ts";

/** Maximum size of all pictures of a book, in bytes; the rest are left out. */
const mostPictureBytes = 60_000_000;
const pictureTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

interface Item {
  path: string;
  type: string;
}

/** Attributes of each element of this name; workers have no XML parser. */
function* elements(xml: string, name: string): Generator<Record<string, string>> {
  for (const [tag] of xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\s[^>]*>`, "g")))
    yield Object.fromEntries(
      [...tag.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
        ([, attribute, double, single]) => [
          attribute!,
          (double ?? single ?? "").replace(/&amp;/g, "&"),
        ],
      ),
    );
}

/** The chapters of a book in reading order, and its pictures. */
export async function convertEpub(bytes: ArrayBuffer): Promise<ConvertedDocument> {
  const zip = await JSZip.loadAsync(bytes);
  const read = async (path: string): Promise<string> => {
    const file = zip.file(path);
    return file ? decodeText(await file.async("uint8array")) : "";
  };
  const [root] = elements(await read("META-INF/container.xml"), "rootfile");
  const packagePath = root?.["full-path"] ?? "";
  const opf = await read(packagePath);
  const items = new Map<string, Item>();
  for (const { id = "", href = "", "media-type": type = "" } of elements(opf, "item"))
    items.set(id, { path: resolvePath(folderOf(packagePath), href), type });
  const parts: ConvertedDocument["parts"] = [];
  for (const { idref = "" } of elements(opf, "itemref")) {
    const item = items.get(idref);
    if (item && /x?html/.test(item.type))
      parts.push({
        html: (await read(item.path)).replace(/^\s*<\?xml[^>]*>/, ""),
        folder: folderOf(item.path),
      });
  }
  const pictures = new Map<string, string>();
  let pictureBytes = 0;
  for (const { path, type } of items.values()) {
    const file = pictureTypes.has(type) ? zip.file(path) : null;
    if (!file || pictureBytes > mostPictureBytes) continue;
    const picture = await file.async("uint8array");
    pictureBytes += picture.length;
    pictures.set(path, await dataUrlOf(picture as Uint8Array<ArrayBuffer>, type));
  }
  return { kind: "document", parts, pictures };
}
