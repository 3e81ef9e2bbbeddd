/** How to show the original of a document; `text`: its extracted text. */
export type Viewer = "pdf" | "converted" | "picture" | "scan" | "recording" | "text";

const viewers: Readonly<Record<string, Viewer>> = {
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "converted",
  "text/markdown": "converted",
  "text/html": "converted",
  "application/xhtml+xml": "converted",
  "application/epub+zip": "converted",
  "message/rfc822": "converted",
  "application/mbox": "converted",
  "image/png": "picture",
  "image/jpeg": "picture",
  "image/webp": "picture",
  "image/gif": "picture",
  "image/bmp": "picture",
  "image/tiff": "scan",
  "text/csv": "converted",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "converted",
  "application/vnd.ms-excel": "converted",
  "application/vnd.oasis.opendocument.spreadsheet": "converted",
};

export const viewerOf = ({
  mime,
  originalUrl,
}: {
  mime: string;
  originalUrl: string | null;
}): Viewer => {
  if (originalUrl === null) return "text";
  if (/^(audio|video)\//.test(mime)) return "recording";
  return viewers[mime.split(";")[0]!.trim()] ?? "text";
};
