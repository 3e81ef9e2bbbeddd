import type { FileItem } from "@carrel/contracts";

/**
 * Writes a folder of wire-contract 2.4 as JSON while its files arrive: `page` with its empty
 * `documents` filled in.
 */
export async function* writeFolder(
  page: object,
  parts: AsyncIterable<FileItem[]>,
): AsyncGenerator<string> {
  const [before, after] = JSON.stringify({ ...page, documents: "\u0000" }).split('"\\u0000"') as [
    string,
    string,
  ];
  yield `${before}[`;
  let isFirst = true;
  for await (const files of parts) {
    let text = "";
    for (const file of files) {
      text += (isFirst ? "" : ",") + JSON.stringify(file);
      isFirst = false;
    }
    yield text;
  }
  yield `]${after}`;
}
