import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of the search engines that agents use; `provider` is the engine's name. */
export const searchErrors = {
  "search.not-set-up": {
    kind: "DISABLED",
    message: "{{provider}} isn't set up. Ask an admin to complete its settings.",
  },
  "search.address-invalid": {
    kind: "DISABLED",
    message: "The address of {{provider}} in the settings isn't valid.",
  },
  "search.key-refused": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}} rejected the API key. Ask an admin to check it.",
  },
  "search.quota-exceeded": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}} allows no more searches for now: its rate limit or quota is reached.",
  },
  "search.format-disabled": {
    kind: "PROVIDER_FAILED",
    message:
      "{{provider}} doesn't return JSON. Ask its admin to add json to search.formats in its settings.yml.",
  },
  "search.blocked": {
    kind: "PROVIDER_FAILED",
    message:
      "{{provider}} suspects a robot and wants a captcha solved. Try again later, or choose another search engine in the settings.",
  },
  "search.refused": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}} couldn't search: it responded with status {{status}}.",
  },
  "search.unexpected-response": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}} sent an unexpected response.",
  },
  "search.timed-out": { kind: "TIMEOUT", message: "{{provider}} didn't respond in time." },
  "search.unreachable": { kind: "UNAVAILABLE", message: "Couldn't reach {{provider}}." },
} as const satisfies Record<string, ErrorDefinition>;
