/** What precedes the text of a mail; texts that it doesn't have are empty. */
export interface MailHeader {
  subject: string;
  from: string;
  to: string;
  cc: string;
  /** ISO 8601, or as written if it isn't a date. */
  date: string;
  attachments: { name: string; bytes: number }[];
}

/** A document as HTML; nothing in it is safe to insert into the page as it is. */
export interface ConvertedDocument {
  kind: "document";
  /**
   * The document, each mail of a mailbox, or each chapter of a book with the folder of its file, to
   * which the addresses of its pictures are relative.
   */
  parts: { html: string; folder: string; mail?: MailHeader }[];
  /** Pictures as data URLs: of a book by their path, of a mail by their `cid:` address. */
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
  /** In which the server read the file, unless the file says so itself. */
  encoding: string | undefined;
}
