import { clipText } from "@carrel/contracts";
import { z } from "zod";
import { accountTool } from "../account/account-request.ts";
import { describeDraft, mailDraft, type MailDraft } from "../account/mail-draft.ts";
import { readMailHtml } from "../account/mail-text.ts";
import type { Tool } from "../tool.ts";
import { AppsScriptClient, type AppsScript, type AppsScriptPorts } from "./apps-script.ts";

const pageSize = 25;

const searchInput = z.object({
  query: z
    .string()
    .max(500)
    .optional()
    .describe(
      "As in Gmail's search: words, from:, to:, subject:, after:2026/05/01, before:, is:unread, in:sent. Default: in:inbox.",
    ),
  page: z.number().int().min(1).max(40).optional().describe(`${pageSize} conversations each.`),
});
type SearchInput = z.infer<typeof searchInput>;
const readInput = z.object({ id: z.string().min(1).max(100).describe("From gmail-search.") });
type ReadInput = z.infer<typeof readInput>;

/* Results of the actions in `libs/skills/apps-script/gmail.gs`. */
const found = z.object({
  threads: z.array(
    z.object({
      subject: z.string(),
      count: z.number(),
      messages: z.array(
        z.object({ id: z.string(), from: z.string(), date: z.string(), isUnread: z.boolean() }),
      ),
      snippet: z.string(),
    }),
  ),
  next: z.number().nullable(),
});
const mail = z.object({
  subject: z.string(),
  from: z.string(),
  to: z.string(),
  cc: z.string(),
  date: z.string(),
  html: z.string(),
  text: z.string(),
  attachments: z.array(z.object({ name: z.string(), size: z.number() })),
});

function writeThread({
  subject,
  count,
  messages,
  snippet,
}: z.infer<typeof found>["threads"][number]) {
  const left = count - messages.length;
  return [
    `Subject: ${subject}`,
    ...(left > 0 ? [`(${left} earlier mails)`] : []),
    ...messages.map(
      ({ id, from, date, isUnread }) =>
        `ID: ${id}, from ${from}, ${date}${isUnread ? " (unread)" : ""}`,
    ),
    clipText(snippet, 200),
  ].join("\n");
}

async function writeMail({
  subject,
  from,
  to,
  cc,
  date,
  html,
  text,
  attachments,
}: z.infer<typeof mail>) {
  const files = attachments.map(({ name, size }) => `${name} (${size} bytes)`);
  return [
    `Subject: ${subject}`,
    `From: ${from}`,
    `To: ${to}`,
    ...(cc === "" ? [] : [`Cc: ${cc}`]),
    `Date: ${date}`,
    ...(files.length === 0 ? [] : [`Attachments (not read): ${files.join(", ")}`]),
    "",
    html === "" ? text.trim() : await readMailHtml(html),
  ].join("\n");
}

/** Gmail of the account in which the person has deployed the script. */
export function createGmail(settings: AppsScript, ports: AppsScriptPorts): Tool[] {
  const script = new AppsScriptClient("Gmail", settings, ports);
  const skill = "gmail-agent";

  const search = accountTool<SearchInput>({
    skill,
    name: "gmail-search",
    description:
      "Finds conversations in the person's Gmail, newest first. Returns the IDs of their mails for gmail-read.",
    input: searchInput,
    effect: "none",
    isUntrusted: true,
    isRepeatable: true,
    approval: "never",
    object: ({ query }) => query ?? null,
    async run({ query, page = 1 }, { signal }) {
      const { threads, next } = await script.call({
        action: "search",
        fields: { query: query?.trim() || "in:inbox", start: (page - 1) * pageSize },
        result: found,
        signal,
        isRepeatable: true,
      });
      if (threads.length === 0) return { text: "No mails were found." };
      const more = next === null ? "" : `\n\nThere may be more: page ${page + 1}.`;
      return { text: threads.map(writeThread).join("\n\n") + more };
    },
  });

  const read = accountTool<ReadInput>({
    skill,
    name: "gmail-read",
    description: "Reads a mail of the person's Gmail. Attachments are only named.",
    input: readInput,
    effect: "none",
    isUntrusted: true,
    isRepeatable: true,
    approval: "never",
    object: () => null,
    async run({ id }, { signal }) {
      const read = await script.call({
        action: "read",
        fields: { id },
        result: mail,
        signal,
        isRepeatable: true,
      });
      return { text: await writeMail(read) };
    },
  });

  const draft = accountTool<MailDraft>({
    skill,
    name: "gmail-create-draft",
    description:
      "Creates a draft in the person's Gmail, which they can send themselves. A reply goes to the sender only.",
    input: mailDraft,
    effect: "write",
    isUntrusted: false,
    isRepeatable: false,
    approval: "always",
    object: ({ subject }) => subject,
    describe: describeDraft,
    async run(fields, { signal }) {
      const result = z.object({ id: z.string() });
      const call = { action: "draft", fields, result, signal, isRepeatable: false };
      const { id } = await script.call(call);
      return { text: `The draft was created. ID: ${id}` };
    },
  });

  const send = accountTool<MailDraft>({
    skill,
    name: "gmail-send",
    description: "Sends a mail from the person's Gmail. A reply goes to the sender only.",
    input: mailDraft,
    effect: "send",
    isUntrusted: false,
    isRepeatable: false,
    approval: "always",
    object: ({ subject }) => subject,
    describe: describeDraft,
    async run(fields, { signal }) {
      const result = z.object({});
      await script.call({ action: "send", fields, result, signal, isRepeatable: false });
      return { text: "The mail was sent." };
    },
  });

  return [search, read, draft, send];
}
