import type { ConnectorWire } from "@carrel/contracts";
import { z } from "zod";
import { signInFields } from "../../connector/atlassian-sign-in.ts";
import { addressSetting, readServer } from "../../connector/web-page.ts";

/** What an address of an issue or board goes on with below Jira's own path. */
const belowJira =
  /\/(browse|projects|issues|rest|secure|plugins|jira\/(software|core|servicedesk|for-you|your-work|dashboards|projects|people)|[\w-]+\.jspa?)(\/.*)?$/;

/** Jira's address, from that of any issue or board; without a slash at its end. */
export const readBase = (text: string): string | null => readServer(text, belowJira);

export const jiraSettings = z.object({
  url: addressSetting(readBase),
  /** Absent only as long as one is chosen, or if `jql` says which issues are meant. */
  project: z
    .string()
    .trim()
    .regex(/^\w{0,100}$/)
    .optional(),
  /** Further restricts the project's issues. */
  jql: z.string().trim().max(5_000).default(""),
  comments: z.boolean().default(true),
  anyCertificate: z.boolean().default(false),
});
export type JiraSettings = z.output<typeof jiraSettings>;

export const jiraForm: Omit<ConnectorWire, "id"> = {
  label: "Jira",
  description: "Import the issues of a project or a query, with their comments.",
  fields: [
    {
      name: "url",
      kind: "address",
      label: "Address",
      help: "The address of Jira, or of any issue in it.",
      placeholder: "https://example.atlassian.net",
      required: true,
    },
    {
      name: "project",
      kind: "text",
      label: "Project key",
      placeholder: "HR",
      required: false,
      isListed: true,
    },
    {
      name: "jql",
      kind: "text",
      label: "Query (JQL)",
      help: "Only issues that match it, in the project or, without one, in all of them.",
      placeholder: "status = Done AND labels = faq",
      required: false,
    },
    {
      name: "comments",
      kind: "switch",
      label: "Include comments",
      required: false,
      default: true,
    },
    {
      name: "anyCertificate",
      kind: "switch",
      label: "Accept any certificate",
      help: "For a self-hosted server with a self-signed certificate.",
      required: false,
      default: false,
      advanced: true,
    },
  ],
  credentialFields: signInFields("Jira"),
  abilities: { permissions: false, changes: false, discovers: false },
};
