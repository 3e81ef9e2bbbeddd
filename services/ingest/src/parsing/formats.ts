import path from "node:path";
import type { KnownFault } from "@carrel/contracts";
import type { Format } from "./parsed-document.ts";

/**
 * Facts about a format: its MIME type, its extensions, what such a file is called in a reason, and
 * its source description (wire-contract 6.2).
 */
export interface FormatFacts {
  mime: string;
  extensions: string[];
  noun: KnownFault;
  docSource: string;
}

const office = "application/vnd.openxmlformats-officedocument";
const opendocument = "application/vnd.oasis.opendocument";

export const formats: Record<Format, FormatFacts> = {
  text: {
    mime: "text/plain",
    extensions: [".txt", ".org", ".adoc", ".rst", ".log", ".text"],
    noun: { code: "file-kind.text" },
    docSource: "a text file uploaded by the user.",
  },
  markdown: {
    mime: "text/markdown",
    extensions: [".md", ".markdown", ".mdx"],
    noun: { code: "file-kind.text" },
    docSource: "a markdown file uploaded by the user.",
  },
  html: {
    mime: "text/html",
    extensions: [".html", ".htm", ".xhtml"],
    noun: { code: "file-kind.page" },
    docSource: "an html file uploaded by the user.",
  },
  csv: {
    mime: "text/csv",
    extensions: [".csv", ".tsv"],
    noun: { code: "file-kind.table" },
    docSource: "a csv file uploaded by the user.",
  },
  json: {
    mime: "application/json",
    extensions: [".json", ".jsonl", ".ndjson"],
    noun: { code: "file-kind.json" },
    docSource: "a json file uploaded by the user.",
  },
  xml: {
    mime: "application/xml",
    extensions: [".xml", ".rss", ".atom", ".xsd", ".svg", ".kml", ".gpx", ".opml", ".plist"],
    noun: { code: "file-kind.xml" },
    docSource: "an xml file uploaded by the user.",
  },
  code: {
    mime: "text/x-source",
    extensions: [],
    noun: { code: "file-kind.code" },
    docSource: "a source code file uploaded by the user.",
  },
  rtf: {
    mime: "application/rtf",
    extensions: [".rtf"],
    noun: { code: "file-kind.rtf" },
    docSource: "rtf file uploaded by the user.",
  },
  eml: {
    mime: "message/rfc822",
    extensions: [".eml"],
    noun: { code: "file-kind.mail" },
    docSource: "a mail uploaded by the user.",
  },
  mbox: {
    mime: "application/mbox",
    extensions: [".mbox"],
    noun: { code: "file-kind.mailbox" },
    docSource: "mbox file uploaded by the user.",
  },
  pdf: {
    mime: "application/pdf",
    extensions: [".pdf"],
    noun: { code: "file-kind.pdf" },
    docSource: "pdf file uploaded by the user.",
  },
  docx: {
    mime: `${office}.wordprocessingml.document`,
    extensions: [".docx", ".docm", ".dotx"],
    noun: { code: "file-kind.word-document" },
    docSource: "docx file uploaded by the user.",
  },
  pptx: {
    mime: `${office}.presentationml.presentation`,
    extensions: [".pptx", ".pptm", ".ppsx", ".potx"],
    noun: { code: "file-kind.presentation" },
    docSource: "pptx file uploaded by the user.",
  },
  xlsx: {
    mime: `${office}.spreadsheetml.sheet`,
    extensions: [".xlsx", ".xlsm", ".xltx", ".xlsb"],
    noun: { code: "file-kind.spreadsheet" },
    docSource: "a sheet of an xlsx file uploaded by the user.",
  },
  xls: {
    mime: "application/vnd.ms-excel",
    extensions: [".xls"],
    noun: { code: "file-kind.spreadsheet" },
    docSource: "a sheet of an xls file uploaded by the user.",
  },
  odt: {
    mime: `${opendocument}.text`,
    extensions: [".odt", ".ott"],
    noun: { code: "file-kind.opendocument-text" },
    docSource: "odt file uploaded by the user.",
  },
  ods: {
    mime: `${opendocument}.spreadsheet`,
    extensions: [".ods", ".ots"],
    noun: { code: "file-kind.spreadsheet" },
    docSource: "a sheet of an ods file uploaded by the user.",
  },
  odp: {
    mime: `${opendocument}.presentation`,
    extensions: [".odp", ".otp"],
    noun: { code: "file-kind.opendocument-presentation" },
    docSource: "odp file uploaded by the user.",
  },
  epub: {
    mime: "application/epub+zip",
    extensions: [".epub"],
    noun: { code: "file-kind.book" },
    docSource: "epub file uploaded by the user.",
  },
  mhtml: {
    mime: "multipart/related",
    extensions: [".mhtml", ".mht"],
    noun: { code: "file-kind.page" },
    docSource: "a saved web page uploaded by the user.",
  },
  notebook: {
    mime: "application/x-ipynb+json",
    extensions: [".ipynb"],
    noun: { code: "file-kind.json" },
    docSource: "a notebook uploaded by the user.",
  },
  vcard: {
    mime: "text/vcard",
    extensions: [".vcf"],
    noun: { code: "file-kind.text" },
    docSource: "a contact file uploaded by the user.",
  },
  calendar: {
    mime: "text/calendar",
    extensions: [".ics"],
    noun: { code: "file-kind.text" },
    docSource: "a calendar uploaded by the user.",
  },
  subtitles: {
    mime: "application/x-subrip",
    extensions: [".srt", ".vtt", ".sub"],
    noun: { code: "file-kind.text" },
    docSource: "a subtitle file uploaded by the user.",
  },
  msg: {
    mime: "application/vnd.ms-outlook",
    extensions: [".msg"],
    noun: { code: "file-kind.mail" },
    docSource: "a mail uploaded by the user.",
  },
  doc: {
    mime: "application/msword",
    extensions: [".doc", ".dot"],
    noun: { code: "file-kind.word-document" },
    docSource: "doc file uploaded by the user.",
  },
  ppt: {
    mime: "application/vnd.ms-powerpoint",
    extensions: [".ppt", ".pps", ".pot"],
    noun: { code: "file-kind.presentation" },
    docSource: "ppt file uploaded by the user.",
  },
  iwork: {
    mime: "application/vnd.apple.iwork",
    extensions: [".pages", ".numbers", ".key"],
    noun: { code: "file-kind.iwork-document" },
    docSource: "an iWork document uploaded by the user.",
  },
  zip: {
    mime: "application/zip",
    extensions: [".zip"],
    noun: { code: "file-kind.archive" },
    docSource: "a file of an archive uploaded by the user.",
  },
  image: {
    mime: "image/png",
    extensions: [".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"],
    noun: { code: "file-kind.picture" },
    docSource: "a picture uploaded by the user.",
  },
  audio: {
    mime: "audio/mpeg",
    extensions: [".mp3", ".wav", ".ogg", ".oga", ".opus", ".m4a", ".flac", ".aac"],
    noun: { code: "file-kind.recording" },
    docSource: "an audio file uploaded by the user.",
  },
  video: {
    mime: "video/mp4",
    extensions: [".mp4", ".mpeg", ".mpg", ".webm", ".mov", ".mkv"],
    noun: { code: "file-kind.video" },
    docSource: "a video file uploaded by the user.",
  },
};

/** Formats whose bytes are not text. */
export const binaryFormats: ReadonlySet<Format> = new Set<Format>([
  "pdf",
  "docx",
  "pptx",
  "xlsx",
  "xls",
  "odt",
  "ods",
  "odp",
  "epub",
  "msg",
  "doc",
  "ppt",
  "iwork",
  "zip",
  "image",
  "audio",
  "video",
]);
/** Formats stored in a zip archive. */
export const zipFormats: ReadonlySet<Format> = new Set<Format>([
  "docx",
  "pptx",
  "xlsx",
  "odt",
  "ods",
  "odp",
  "epub",
  "iwork",
  "zip",
]);

export const formatByExtension: ReadonlyMap<string, Format> = new Map(
  (Object.entries(formats) as [Format, FormatFacts][]).flatMap(([format, { extensions }]) =>
    extensions.map((extension) => [extension, format] as const),
  ),
);

/** The source description of a file with this name, if its content matches its extension. */
export const sourceByExtension = (filename: string): string => {
  const format = formatByExtension.get(path.extname(filename).toLowerCase());
  return format === undefined ? "" : formats[format].docSource;
};
/** All that `sourceByExtension` may return. */
export const sourcesByExtension: readonly string[] = [
  "",
  ...Object.values(formats).map(({ docSource }) => docSource),
];
