import type { DocumentKind } from "./document.ts";

/**
 * Endings of files whose content proves their kind, whatever they are called: a text named ".pdf"
 * is detected when it is parsed, and so is a PDF named ".txt".
 */
export const provenEndings = {
  pdf: ["pdf"],
  word: ["doc", "docx", "docm", "dotx", "odt", "ott", "rtf"],
  slides: ["ppt", "pptx", "pptm", "ppsx", "potx", "odp", "otp"],
  sheet: ["xls", "xlsx", "xlsm", "xltx", "xlsb", "ods", "ots"],
  book: ["epub"],
  mail: ["msg"],
  image: ["png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff"],
  audio: ["mp3", "wav", "ogg", "oga", "opus", "m4a", "flac", "aac"],
  video: ["mp4", "mpeg", "mpg", "webm", "mov", "mkv", "avi"],
} satisfies Partial<Record<DocumentKind, string[]>>;
