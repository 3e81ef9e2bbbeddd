import type { ErrorDefinition } from "./error-definition.ts";

/** Why a file can't be read; `what` is a `file-kind`. */
export const fileErrors = {
  "file-kind.text": { kind: "DOCUMENT_UNREADABLE", message: "The text" },
  "file-kind.page": { kind: "DOCUMENT_UNREADABLE", message: "The page" },
  "file-kind.table": { kind: "DOCUMENT_UNREADABLE", message: "The table" },
  "file-kind.json": { kind: "DOCUMENT_UNREADABLE", message: "The JSON file" },
  "file-kind.xml": { kind: "DOCUMENT_UNREADABLE", message: "The XML file" },
  "file-kind.code": { kind: "DOCUMENT_UNREADABLE", message: "The source code" },
  "file-kind.rtf": { kind: "DOCUMENT_UNREADABLE", message: "The RTF document" },
  "file-kind.mail": { kind: "DOCUMENT_UNREADABLE", message: "The email" },
  "file-kind.mailbox": { kind: "DOCUMENT_UNREADABLE", message: "The mailbox" },
  "file-kind.pdf": { kind: "DOCUMENT_UNREADABLE", message: "The PDF" },
  "file-kind.word-document": { kind: "DOCUMENT_UNREADABLE", message: "The Word document" },
  "file-kind.presentation": { kind: "DOCUMENT_UNREADABLE", message: "The presentation" },
  "file-kind.spreadsheet": { kind: "DOCUMENT_UNREADABLE", message: "The spreadsheet" },
  "file-kind.opendocument-text": { kind: "DOCUMENT_UNREADABLE", message: "The OpenDocument text" },
  "file-kind.opendocument-presentation": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The OpenDocument presentation",
  },
  "file-kind.book": { kind: "DOCUMENT_UNREADABLE", message: "The book" },
  "file-kind.picture": { kind: "DOCUMENT_UNREADABLE", message: "The image" },
  "file-kind.recording": { kind: "DOCUMENT_UNREADABLE", message: "The recording" },
  "file-kind.video": { kind: "DOCUMENT_UNREADABLE", message: "The video" },
  "file-kind.document": { kind: "DOCUMENT_UNREADABLE", message: "The document" },
  "file-kind.iwork-document": { kind: "DOCUMENT_UNREADABLE", message: "The iWork document" },
  "file-kind.archive": { kind: "DOCUMENT_UNREADABLE", message: "The ZIP archive" },
  "file-kind.office-document": { kind: "DOCUMENT_UNREADABLE", message: "The Office document" },
  "file.zip-without-presentation": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The file is a ZIP archive that doesn't contain a presentation.",
  },
  "file.zip-without-word-document": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The file is a ZIP archive that doesn't contain a Word document.",
  },
  "file.zip-without-spreadsheet": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The file is a ZIP archive that doesn't contain a spreadsheet.",
  },
  "file.zip-without-book": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The file is a ZIP archive that doesn't contain a book.",
  },
  "file.zip-without-opendocument-text": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The file is a ZIP archive that doesn't contain an OpenDocument text.",
  },
  "file.zip-without-opendocument-presentation": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The file is a ZIP archive that doesn't contain an OpenDocument presentation.",
  },
  "file.no-text": {
    kind: "DOCUMENT_UNREADABLE",
    message: "No text content found in {{filename}}.",
  },
  // To existing clients, these two are files without text (wire-contract 6.3).
  "file.empty": {
    kind: "DOCUMENT_UNREADABLE",
    message: "No text content found in {{filename}}.",
  },
  "file.no-speech": {
    kind: "DOCUMENT_UNREADABLE",
    message: "No text content found in {{filename}}.",
  },
  "file.damaged": { kind: "DOCUMENT_UNREADABLE", message: "{{what}} is damaged or incomplete." },
  "file.damaged-from-line": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{what}} is damaged or incomplete from line {{line}}.",
  },
  "file.form-unreadable": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "The PDF is a dynamic form (XFA) that only Adobe Acrobat can open. Print it to a PDF there, and upload that.",
  },
  "file.part-missing": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{what}} is incomplete: the part {{part}} is missing.",
  },
  "file.password-protected": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{what}} is password-protected.",
  },
  "file.too-many-parts": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{what}} exceeds the limit of {{limit}} parts.",
  },
  "file.too-many-elements": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{what}} exceeds the limit of {{limit}} elements.",
  },
  "file.unpacks-too-large": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{what}} unpacks to more than the limit of {{megabytes}} MB.",
  },
  "file.too-much-text": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{what}} exceeds the limit of {{millions}} million characters of text.",
  },
  "file.too-many-sheets": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{what}} exceeds the limit of {{limit}} sheets.",
  },
  "file.nested-too-deep": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{what}} is nested deeper than the limit of {{limit}} levels.",
  },
  "file.entities-declared": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "{{what}} declares custom entities ({{name}}), which aren't expanded because they can turn small files into huge ones.",
  },
  "file.extension-unsupported": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "File extension {{extension}} not supported for parsing and cannot be assumed as text file type.",
  },
  "file.no-extension": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "File extension (none) not supported for parsing and cannot be assumed as text file type.",
  },
  "file.content-unsupported": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The file is named {{extension}} but contains {{type}}, which can't be parsed.",
  },
  // Reasons stored for documents uploaded before Carrel could read these formats.
  "file.old-word-document": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "The Word document is in the old .doc format, which an earlier version couldn't read. Upload it again.",
  },
  "file.outlook-mail": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "The email is in the .msg format, which an earlier version couldn't read. Upload it again.",
  },
  "file.rtf-binary": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "The RTF document contains raw binary data, which an earlier version couldn't read. Upload it again.",
  },
  "file.old-presentation": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "The presentation is in the old .ppt format. Install LibreOffice on the server, or save the presentation as .pptx.",
  },
  "file.iwork-without-preview": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "The iWork document was saved without a preview. Export it as PDF, or in a Microsoft Office format.",
  },
  "file.archive-empty": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The ZIP archive doesn't contain any files.",
  },
  "file.archive-unreadable": {
    kind: "DOCUMENT_UNREADABLE",
    message: "None of the files in the ZIP archive could be read.",
  },
  "file.archive-nested": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Archives inside other files aren't read.",
  },
  "file.mail-malformed": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The email is damaged: its parts are nested too deeply, or its headers are too long.",
  },
  "file.mail-without-headers": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The email is damaged or incomplete: it has no headers.",
  },
  "file.too-many-mails": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The mailbox exceeds the limit of {{limit}} emails.",
  },
  "file.mailbox-empty": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The mailbox is damaged: it contains no emails.",
  },
  "file.too-many-pages": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The PDF has {{pages}} pages. The limit is {{limit}}.",
  },
  "file.too-many-pages-to-recognise": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "The PDF has {{pages}} pages without a text layer. The limit for text recognition is {{limit}} (CARREL_OCR_PAGES).",
  },
  "file.book-protected": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The book is protected by DRM and can't be read.",
  },
  "file.larger-than-limit": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The file exceeds the limit of {{megabytes}} MB.",
  },
  "file.needs-too-much-memory": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Parsing the document would exceed the memory limit ({{megabytes}} MB).",
  },
  "file.parsing-too-slow": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Parsing took longer than the limit of {{seconds}} s.",
  },
  "file.encoding-of-part": {
    kind: "REFUSED",
    message: "The encoding of a sheet or a file in an archive can't be changed.",
  },
  "file.original-gone": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The original no longer exists. Upload the file again.",
  },
  "file.parsing-failed": { kind: "DOCUMENT_UNREADABLE", message: "A processing error occurred." },
  "file.unread": { kind: "DOCUMENT_UNREADABLE", message: "The document couldn't be read." },
  "file.recognition-data-missing": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "Text in images can't be recognized: there's no data for the language \"{{language}}\" (CARREL_OCR_LANGUAGES). Install the npm package @tesseract.js-data/{{language}}, or put {{language}}.traineddata in the models folder.",
  },
  "file.transcription-not-set-up": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "Recordings need a transcription provider, and none is set up. Choose one in the settings (WhisperProvider), then try again.",
  },
  "file.transcription-too-slow": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Transcription took longer than the limit of {{hours}} hours.",
  },
  "file.recording-too-large": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The recording exceeds {{provider}}'s limit of {{megabytes}} MB.",
  },
  "file.too-many-pixels": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The image exceeds the limit of {{millions}} million pixels.",
  },
  "file.too-many-picture-pages": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "The image has {{pages}} pages. The limit for text recognition is {{limit}} (CARREL_OCR_PAGES).",
  },
} as const satisfies Record<string, ErrorDefinition>;
