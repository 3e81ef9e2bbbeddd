export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** A path inside a book, from a link relative to one of its folders. */
export function resolvePath(folder: string, link: string): string {
  try {
    const { pathname } = new URL(link, `http://book/${folder}`);
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return link; // not an address, or invalid percent-encoding
  }
}

/** A file's content as a `data:` URL. */
export const dataUrlOf = (
  bytes: Uint8Array<ArrayBuffer> | ArrayBuffer,
  type: string,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("The file can't be read."));
    reader.readAsDataURL(new Blob([bytes], { type }));
  });

/** Elements that a document may have. */
export const allowedTags: readonly string[] =
  "a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr".split(
    " ",
  );
/** Removed with their content, as the parser does; the content of other elements is kept. */
export const removedTags: readonly string[] =
  "audio button canvas dialog embed frame frameset head iframe input link meta nav noembed noframes noscript object plaintext script select style svg template textarea title video xmp".split(
    " ",
  );
export const allowedAttributes: readonly string[] =
  "alt colspan dir href lang reversed rowspan scope src start".split(" ");

/** What precedes the text of a mail; missing texts are empty. */
export interface MailHeader {
  subject: string;
  from: string;
  to: string;
  cc: string;
  /** ISO 8601, or as written if it isn't a date. */
  date: string;
  attachments: { name: string; bytes: number }[];
}

/** A document as HTML, none of which is safe to insert into the page directly. */
export interface ConvertedDocument {
  kind: "document";
  /**
   * The document, each mail of a mailbox, or each chapter of a book with its file's folder, to
   * which the addresses of its pictures are relative.
   */
  parts: { html: string; folder: string; mail?: MailHeader }[];
  /** Pictures as data URLs: a book's by path, a mail's by `cid:` address. */
  pictures: Map<string, string>;
}

/** One sheet: the displayed text of its cells by row, with trailing empty cells left out. */
export interface Sheet {
  name: string;
  rows: string[][];
}

export interface ConvertedWorkbook {
  kind: "workbook";
  sheets: Sheet[];
}

export type Converted = ConvertedDocument | ConvertedWorkbook;

export interface ConversionRequest {
  bytes: ArrayBuffer;
  mime: string;
  /** The encoding in which the server read the file, unless the file states it itself. */
  encoding: string | undefined;
}
