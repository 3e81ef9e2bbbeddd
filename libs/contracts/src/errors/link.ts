import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of web pages behind links, and of imports from any source. */
export const linkErrors = {
  "link.invalid": { kind: "BAD_INPUT", message: "Not a valid URL." },
  "link.refused": { kind: "LINK_REFUSED", message: "{{reason}}" },
  "link.unreachable": { kind: "LINK_UNREACHABLE", message: "No URL content found at {{link}}." },
  "import.given-up": {
    kind: "INTERNAL",
    message: "The import was interrupted {{runs}} times without progress. Try again.",
    isRetryable: false,
  },
  "link.too-large": { kind: "TOO_LARGE", message: "The page is too large." },
} as const satisfies Record<string, ErrorDefinition>;
