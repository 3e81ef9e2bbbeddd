import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of webhooks and their deliveries. */
export const webhookErrors = {
  "webhook.not-found": { kind: "NOT_FOUND", message: "This webhook doesn't exist." },
  "webhook.delivery-not-found": { kind: "NOT_FOUND", message: "This delivery doesn't exist." },
  "webhook.too-many": {
    kind: "CONFLICT",
    message: "There can be at most {{limit}} webhooks. Delete one first.",
  },
  "webhook.disabled": {
    kind: "CONFLICT",
    message: "This webhook is disabled. Enable it first.",
  },
  "webhook.restored": {
    kind: "CONFLICT",
    message:
      "Not sent, because the instance was restored from a backup. The receiver may have it already; replay it if not.",
  },
  "webhook.refused": {
    kind: "PROVIDER_FAILED",
    message: "The receiver answered with status {{status}}.",
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Faults of web pages behind links. */
export const linkErrors = {
  "link.invalid": { kind: "BAD_INPUT", message: "Not a valid URL." },
  "link.refused": { kind: "LINK_REFUSED", message: "{{reason}}" },
  "link.unreachable": { kind: "LINK_UNREACHABLE", message: "No URL content found at {{link}}." },
  "link.status": {
    kind: "LINK_UNREACHABLE",
    message: "{{host}} responded with status {{status}}.",
  },
  "link.type-unreadable": {
    kind: "UNSUPPORTED",
    message: "The page is a file of type {{type}}, which can't be read here.",
  },
  "link.without-text": { kind: "LINK_UNREACHABLE", message: "The page has no readable text." },
  "link.too-large": { kind: "TOO_LARGE", message: "The page is too large." },
} as const satisfies Record<string, ErrorDefinition>;

/** Why an address outside the instance can't be used. */
export const egressErrors = {
  "egress.timed-out": { kind: "TIMEOUT", message: "{{host}} didn't respond in time." },
  "egress.unreachable": {
    kind: "LINK_UNREACHABLE",
    message: "Couldn't reach {{host}}, or its response was invalid.",
  },
  "egress.without-https": {
    kind: "LINK_UNREACHABLE",
    message: "{{host}} doesn't answer with HTTPS. If it uses HTTP, start its address with http://.",
  },
  "egress.certificate-untrusted": {
    kind: "LINK_UNREACHABLE",
    message:
      "The certificate of {{host}} isn't trusted ({{reason}}). If a private authority issued it, whoever runs Carrel can add that with CARREL_CA_FILE.",
  },
  "egress.proxy-unreachable": {
    kind: "LINK_UNREACHABLE",
    message:
      "Couldn't reach the proxy for outgoing connections. Whoever runs Carrel should check CARREL_EGRESS_PROXY, and whether the proxy is online.",
  },
  "egress.proxy-refused": {
    kind: "LINK_UNREACHABLE",
    message:
      "The proxy for outgoing connections didn't connect to {{host}}: it answered with status {{status}}.",
  },
  "egress.unexpected-response": {
    kind: "LINK_UNREACHABLE",
    message: "{{host}} sent an unexpected response.",
  },
  "egress.host-unknown": {
    kind: "LINK_UNREACHABLE",
    message: "Couldn't find {{host}}. Check the address, and whether the server is online.",
  },
  "egress.page-too-large": {
    kind: "TOO_LARGE",
    message: "The page is larger than {{megabytes}} MB.",
  },
  "egress.encoding-unsupported": {
    kind: "LINK_UNREACHABLE",
    message: "The site sent its page in an unsupported encoding.",
  },
  "egress.compressed-too-often": {
    kind: "LINK_UNREACHABLE",
    message: "The site compressed its page too many times.",
  },
  "egress.too-many-redirects": {
    kind: "LINK_REFUSED",
    message: "The address redirects more than {{limit}} times.",
  },
  "egress.not-an-address": { kind: "LINK_REFUSED", message: "This isn't a web address." },
  "egress.protocol-unsupported": {
    kind: "LINK_REFUSED",
    message: "Only http and https addresses can be fetched.",
  },
  "egress.credentials-in-address": {
    kind: "LINK_REFUSED",
    message: "Addresses with a username or password aren't fetched.",
  },
  "egress.plain-http": {
    kind: "LINK_REFUSED",
    message: "Credentials are only sent to {{host}} with https.",
  },
  "egress.port-refused": {
    kind: "LINK_REFUSED",
    message: "Carrel doesn't fetch pages on port {{port}}.",
  },
  "egress.not-public": {
    kind: "LINK_REFUSED",
    message: "This address isn't on the public internet, so Carrel doesn't fetch it.",
  },
  "egress.metadata-address": {
    kind: "LINK_REFUSED",
    message: "This address belongs to the cloud's metadata service, so it can't be used.",
  },
  "egress.other-origin": {
    kind: "LINK_REFUSED",
    message: "Only addresses at {{origin}} are allowed here.",
  },
  "egress.redirected": {
    kind: "LINK_REFUSED",
    message: "{{origin}} responded with a redirect. Enter the address it redirects to instead.",
  },
  "egress.socket-path": {
    kind: "LINK_REFUSED",
    message: "Enter the database's host and port.",
  },
} as const satisfies Record<string, ErrorDefinition>;
