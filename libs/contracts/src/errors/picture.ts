import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of uploaded pictures. */
export const pictureErrors = {
  "picture.missing": { kind: "BAD_INPUT", message: "File upload failed." },
  "picture.logo-missing": { kind: "BAD_INPUT", message: "No logo file provided." },
  "picture.upload-too-large": {
    kind: "TOO_LARGE",
    message: "The picture is too large. The limit is {{megabytes}} MB.",
  },
  "picture.too-large": {
    kind: "TOO_LARGE",
    message:
      "The picture is too large. The limit is {{megabytes}} MB and {{megapixels}} megapixels.",
  },
  "picture.broken": { kind: "BAD_INPUT", message: "The picture is damaged and can't be read." },
  "picture.unsupported": {
    kind: "UNSUPPORTED",
    message: "Only JPEG, PNG, WebP, GIF and AVIF pictures are accepted.",
  },
  "picture.unavailable": {
    kind: "UNAVAILABLE",
    message: "The server can't process pictures.",
  },
  "picture.busy": {
    kind: "BUSY",
    message: "Too many pictures are being processed. Try again in a moment.",
  },
} as const satisfies Record<string, ErrorDefinition>;
