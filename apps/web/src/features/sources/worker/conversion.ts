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
