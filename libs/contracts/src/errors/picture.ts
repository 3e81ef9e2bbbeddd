import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of uploaded pictures. */
export const pictureErrors = {
  "picture.missing": { kind: "BAD_INPUT", message: "File upload failed." },
  "picture.logo-missing": { kind: "BAD_INPUT", message: "No logo file provided." },
  "picture.upload-too-large": {
    kind: "TOO_LARGE",
    message: "The image is too large. The limit is {{megabytes}} MB.",
  },
  "picture.too-large": {
    kind: "TOO_LARGE",
    message: "The image is too large. The limit is {{megabytes}} MB and {{megapixels}} megapixels.",
  },
  "picture.broken": { kind: "BAD_INPUT", message: "The image is damaged and can't be read." },
  "picture.unsupported": {
    kind: "UNSUPPORTED",
    message: "Only JPEG, PNG, WebP, GIF and AVIF images are supported.",
  },
  "picture.unavailable": {
    kind: "UNAVAILABLE",
    message: "The server can't process images.",
  },
  "picture.busy": {
    kind: "BUSY",
    message: "Too many images are being processed. Try again in a moment.",
  },
} as const satisfies Record<string, ErrorDefinition>;
