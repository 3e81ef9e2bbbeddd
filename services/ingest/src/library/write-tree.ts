import type { FileItem } from "@carrel/contracts";

/** `file` is null for a folder that comes next, or that holds nothing. */
export interface TreeEntry {
  folder: string;
  file: FileItem | null;
}

/** Characters of one part of the text; a part goes through Redis at once. */
const partLength = 128 * 1024;

/** The tree of wire-contract 2.4 as JSON, written while its entries come, folder by folder. */
export async function* writeTree(pages: AsyncIterable<TreeEntry[]>): AsyncGenerator<string> {
  let text = '{"localFiles":{"name":"documents","type":"folder","items":[';
  let open: string | null = null;
  let isFirst = true;
  for await (const entries of pages) {
    for (const { folder, file } of entries) {
      if (folder !== open) {
        text += `${open === null ? "" : "]},"}{"name":${JSON.stringify(folder)},"type":"folder","items":[`;
        open = folder;
        isFirst = true;
      }
      if (file === null) continue;
      text += (isFirst ? "" : ",") + JSON.stringify(file);
      isFirst = false;
      if (text.length < partLength) continue;
      yield text;
      text = "";
    }
  }
  yield `${text}${open === null ? "" : "]}"}]}}`;
}
