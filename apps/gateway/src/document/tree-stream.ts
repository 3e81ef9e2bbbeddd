import type { FileItem, listLibraryPage, Out } from '@carrel/contracts';

type Entry = Out<typeof listLibraryPage>['entries'][number];

/** The tree of wire-contract 2.4 as JSON, written while its parts come: no more than one of them is in memory. */
export async function* writeTree(parts: AsyncIterable<Entry[]>): AsyncGenerator<string> {
  yield '{"localFiles":{"name":"documents","type":"folder","items":[';
  let open: string | null = null;
  let isFirst = true;
  for await (const entries of parts) {
    let text = '';
    for (const { folder, file } of entries) {
      if (folder !== open) {
        text += `${open === null ? '' : ']},'}{"name":${JSON.stringify(folder)},"type":"folder","items":[`;
        open = folder;
        isFirst = true;
      }
      if (file === null) continue;
      text += (isFirst ? '' : ',') + JSON.stringify(file);
      isFirst = false;
    }
    yield text;
  }
  yield `${open === null ? '' : ']}'}]}}`;
}

/** A folder of wire-contract 2.4, written the same way: `page` with its empty `documents` filled. */
export async function* writeFolder(page: object, parts: AsyncIterable<FileItem[]>): AsyncGenerator<string> {
  const [before, after] = JSON.stringify({ ...page, documents: '\u0000' }).split('"\\u0000"') as [string, string];
  yield `${before}[`;
  let isFirst = true;
  for await (const files of parts) {
    let text = '';
    for (const file of files) {
      text += (isFirst ? '' : ',') + JSON.stringify(file);
      isFirst = false;
    }
    yield text;
  }
  yield `]${after}`;
}
