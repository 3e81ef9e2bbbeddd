import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of web pages behind links. */
export const linkErrors = {
  "link.invalid": { kind: "BAD_INPUT", message: "Not a valid URL." },
  "link.refused": { kind: "LINK_REFUSED", message: "{{reason}}" },
  "link.unreachable": { kind: "LINK_UNREACHABLE", message: "No URL content found at {{link}}." },
  "link.too-large": { kind: "TOO_LARGE", message: "The page is too large." },
} as const satisfies Record<string, ErrorDefinition>;
