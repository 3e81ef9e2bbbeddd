import type { FileItem } from "@carrel/contracts";

/** `file` is null for a row that only announces a folder, which may be empty. */
export interface TreeEntry {
  folder: string;
  file: FileItem | null;
}

/** Characters per chunk; each chunk goes through Redis as one message. */
const partLength = 128 * 1024;

/** Writes the tree of wire-contract 2.4 as JSON while its entries arrive, folder by folder. */
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
