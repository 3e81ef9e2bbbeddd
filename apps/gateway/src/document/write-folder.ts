import type { FileItem } from "@carrel/contracts";

/**
 * A folder of wire-contract 2.4 as JSON, written while its files come: `page` with its empty
 * `documents` filled.
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
