/** How the original of a document is shown; `text`: its extracted text. */
export type Viewer = "pdf" | "document" | "workbook" | "picture" | "text";

const viewers: Readonly<Record<string, Viewer>> = {
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "document",
  "text/markdown": "document",
  "text/html": "document",
  "application/xhtml+xml": "document",
  "application/epub+zip": "document",
  "message/rfc822": "document",
  "application/mbox": "document",
  "image/png": "picture",
  "image/jpeg": "picture",
  "image/webp": "picture",
  "image/gif": "picture",
  "image/bmp": "picture",
  "text/csv": "workbook",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "workbook",
  "application/vnd.ms-excel": "workbook",
  "application/vnd.oasis.opendocument.spreadsheet": "workbook",
};

export const viewerOf = ({
  mime,
  originalUrl,
}: {
  mime: string;
  originalUrl: string | null;
}): Viewer => (originalUrl === null ? "text" : (viewers[mime.split(";")[0]!.trim()] ?? "text"));
