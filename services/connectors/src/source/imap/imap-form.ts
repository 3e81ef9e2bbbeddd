import type { ConnectorWire } from "@carrel/contracts";
import { isLoopbackUrl } from "@carrel/egress";
import { z } from "zod";

const lines = z
  .union([z.array(z.string()), z.string().transform((text) => text.split("\n"))])
  .transform((all) => [...new Set(all.map((line) => line.trim()).filter((line) => line !== ""))]);

/** An address of IPv6 has brackets in the address of a server. */
const inAddress = (host: string): string => (host.includes(":") ? `[${host}]` : host);

const isLoopback = (host: string): boolean => {
  const address = `http://${inAddress(host)}`;
  return URL.canParse(address) && isLoopbackUrl(new URL(address));
};

export const imapSettings = z
  .object({
    host: z
      .string()
      .trim()
      .toLowerCase()
      .max(255)
      .regex(/^([\w-]+\.)*[\w-]+$|^[0-9a-f:.]*:[0-9a-f:.]*$/),
    /** By default, the usual one. */
    port: z.number().int().min(1).max(65_535).optional(),
    security: z.enum(["tls", "starttls", "none"]).default("tls"),
    /** None: all but drafts, spam and trash. */
    folders: lines.pipe(z.array(z.string().max(500)).max(500)).default(["INBOX"]),
    /** Messages that arrived on this day or later. */
    since: z
      .union([z.iso.date(), z.literal("")])
      .default("")
      .describe("YYYY-MM-DD"),
    maxMegabytes: z.number().int().min(1).max(100).default(25),
    anyCertificate: z.boolean().default(false),
  })
  .refine(({ host, security }) => security !== "none" || isLoopback(host), {
    path: ["security"],
    error: "a password needs encryption",
  });
export type ImapSettings = z.output<typeof imapSettings>;

export const imapCredential = z.object({
  user: z.string().max(1_000).default(""),
  password: z.string().max(5_000).default(""),
});
export type ImapCredential = z.output<typeof imapCredential>;

/** Ports of the protocol itself. */
export const imapPorts = [143, 993];

export const portOf = ({ port, security }: ImapSettings): number =>
  port ?? (security === "tls" ? 993 : 143);

export const originOf = (settings: ImapSettings): string =>
  `${settings.security === "tls" ? "imaps" : "imap"}://${inAddress(settings.host)}:${portOf(settings)}`;

export const imapForm: Omit<ConnectorWire, "id"> = {
  label: "Mailbox (IMAP)",
  description: "Import messages with their attachments. Everyone in the workspace can read them.",
  fields: [
    {
      name: "host",
      kind: "text",
      label: "Server",
      placeholder: "imap.example.com",
      required: true,
    },
    {
      name: "folders",
      kind: "lines",
      label: "Folders",
      help: "One per line. Without any, all folders but drafts, spam and trash.",
      required: false,
      default: ["INBOX"],
      isListed: true,
    },
    {
      name: "since",
      kind: "text",
      label: "Since",
      help: "Only messages that arrived on this day or later.",
      placeholder: "2026-01-31",
      required: false,
    },
    {
      name: "security",
      kind: "choice",
      label: "Encryption",
      help: "A server on this machine can do without.",
      required: false,
      default: "tls",
      options: [
        { value: "tls", label: "TLS" },
        { value: "starttls", label: "STARTTLS" },
        { value: "none", label: "None" },
      ],
      advanced: true,
    },
    {
      name: "port",
      kind: "number",
      label: "Port",
      help: "By default 993, or 143 without TLS from the start.",
      required: false,
      min: 1,
      max: 65_535,
      advanced: true,
    },
    {
      name: "maxMegabytes",
      kind: "number",
      label: "Largest message, in MB",
      required: false,
      default: 25,
      min: 1,
      max: 100,
      advanced: true,
    },
    {
      name: "anyCertificate",
      kind: "switch",
      label: "Accept any certificate",
      help: "For a server with a self-signed certificate.",
      required: false,
      default: false,
      advanced: true,
    },
  ],
  credentialFields: [
    { name: "user", kind: "text", label: "Username", required: true },
    {
      name: "password",
      kind: "secret",
      label: "Password",
      help: "Most providers require an app password.",
      required: true,
    },
  ],
  abilities: { permissions: false, changes: false, discovers: false },
};
