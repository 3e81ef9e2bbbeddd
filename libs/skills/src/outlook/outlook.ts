import { CarrelError, clipText } from "@carrel/contracts";
import { z } from "zod";
import { accountTool } from "../account/account-request.ts";
import { describeDraft, mailDraft, type MailDraft } from "../account/mail-draft.ts";
import { readMailHtml } from "../account/mail-text.ts";
import type { Tool } from "../tool.ts";
import { GraphClient, type OutlookPorts, type OutlookSettings } from "./graph-client.ts";

const name = "Outlook";
const pageSize = 20;

/* The message resource of Microsoft Graph v1.0; all of its fields may be missing. */
const recipient = z.object({
  emailAddress: z.object({ name: z.string().nullish(), address: z.string().nullish() }),
});
type Recipient = z.infer<typeof recipient>;
const message = z.object({
  id: z.string(),
  subject: z.string().nullish(),
  from: recipient.nullish(),
  toRecipients: z.array(recipient).nullish(),
  ccRecipients: z.array(recipient).nullish(),
  bccRecipients: z.array(recipient).nullish(),
  receivedDateTime: z.string().nullish(),
  isRead: z.boolean().nullish(),
  isDraft: z.boolean().nullish(),
  hasAttachments: z.boolean().nullish(),
  bodyPreview: z.string().nullish(),
  webLink: z.string().nullish(),
  body: z.object({ contentType: z.string(), content: z.string() }).nullish(),
});
type Message = z.infer<typeof message>;
const page = z.object({ value: z.array(message), "@odata.nextLink": z.string().optional() });
const attachments = z.object({
  value: z.array(z.object({ name: z.string().nullish(), size: z.number().nullish() })),
});

function parse<T>(schema: z.ZodType<T>, json: unknown): T {
  const { data } = schema.safeParse(json);
  if (data === undefined) throw new CarrelError("account.unexpected-response", { name });
  return data;
}

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, { message: "must be YYYY-MM-DD" });
const searchInput = z.object({
  query: z.string().max(500).optional().describe("Words of subject, sender or text."),
  from: z.string().max(200).optional().describe("Name or address of the sender."),
  after: day.optional().describe("First day, YYYY-MM-DD."),
  before: day.optional().describe("Last day, YYYY-MM-DD."),
  folder: z
    .enum(["inbox", "sentitems", "drafts", "archive", "deleteditems", "junkemail"])
    .optional(),
  page: z.number().int().min(1).max(10).optional().describe(`${pageSize} mails each.`),
});
type SearchInput = z.infer<typeof searchInput>;
const readInput = z.object({ id: z.string().min(1).max(500).describe("From outlook-search.") });

/** Words without what means something in a search (KQL, within quotes); AND and OR are capitals. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/["\\:()<>=*]/g, " ")
    .split(/\s+/)
    .filter(Boolean);

/** Graph can't sort or filter what it searches, so dates are part of the search. */
function searchPath({ query = "", from = "", after, before, folder }: SearchInput): string {
  const terms = [
    ...wordsOf(query),
    ...wordsOf(from).map((word) => `from:${word}`),
    ...(after === undefined ? [] : [`received>=${after}`]),
    ...(before === undefined ? [] : [`received<=${before}`]),
  ];
  const parameters = new URLSearchParams({
    $top: String(pageSize),
    $select:
      "id,subject,from,toRecipients,receivedDateTime,isRead,isDraft,hasAttachments,bodyPreview",
    ...(terms.length > 0
      ? { $search: `"${terms.join(" AND ")}"` }
      : { $orderby: "receivedDateTime desc" }),
  });
  return `/me/${folder === undefined ? "" : `mailFolders/${folder}/`}messages?${parameters.toString()}`;
}

const readAddress = ({ emailAddress: { name: own, address } }: Recipient): string =>
  own && own !== address ? `${own} <${address ?? ""}>` : (address ?? "");
const readAddresses = (all: Recipient[] | null | undefined): string =>
  (all ?? []).map(readAddress).join(", ");

function writeListed(mail: Message): string {
  const marks = [
    ...(mail.isRead === false ? ["unread"] : []),
    ...(mail.isDraft ? ["draft"] : []),
    ...(mail.hasAttachments ? ["attachments"] : []),
  ];
  return [
    `ID: ${mail.id}`,
    `Subject: ${mail.subject ?? ""}`,
    `From: ${mail.from ? readAddress(mail.from) : ""}`,
    `To: ${readAddresses(mail.toRecipients)}`,
    `Received: ${mail.receivedDateTime ?? ""}${marks.length === 0 ? "" : ` (${marks.join(", ")})`}`,
    clipText((mail.bodyPreview ?? "").replace(/\s+/g, " "), 200),
  ].join("\n");
}

async function writeMail(mail: Message, files: string[]): Promise<string> {
  const { contentType = "text", content = "" } = mail.body ?? {};
  const text = contentType.toLowerCase() === "html" ? await readMailHtml(content) : content;
  return [
    `Subject: ${mail.subject ?? ""}`,
    `From: ${mail.from ? readAddress(mail.from) : ""}`,
    `To: ${readAddresses(mail.toRecipients)}`,
    ...(mail.ccRecipients?.length ? [`Cc: ${readAddresses(mail.ccRecipients)}`] : []),
    `Received: ${mail.receivedDateTime ?? ""}`,
    ...(files.length === 0 ? [] : [`Attachments (not read): ${files.join(", ")}`]),
    "",
    text.trim(),
  ].join("\n");
}

const toRecipients = (all: readonly string[] = []): object[] =>
  all.map((address) => ({ emailAddress: { address } }));
const toMessage = ({ to, cc, bcc, subject, body }: MailDraft): object => ({
  subject,
  body: { contentType: "Text", content: body },
  toRecipients: toRecipients(to),
  ccRecipients: toRecipients(cc),
  bccRecipients: toRecipients(bcc),
});

const mailPath = (id: string): string => `/me/messages/${encodeURIComponent(id)}`;
const sameAddresses = (kept: Recipient[] | null | undefined, wanted: string[] = []): boolean => {
  const normal = (all: (string | null | undefined)[]): string =>
    all
      .map((each) => (each ?? "").toLowerCase())
      .toSorted()
      .join();
  return normal((kept ?? []).map(({ emailAddress }) => emailAddress.address)) === normal(wanted);
};

/** Creates a draft whose recipients, subject and text are exactly those of the mail. */
async function createDraft(
  client: GraphClient,
  mail: MailDraft,
  signal: AbortSignal,
): Promise<Message> {
  if (mail.replyTo === undefined)
    return parse(
      message,
      await client.request({ path: "/me/messages", method: "POST", body: toMessage(mail), signal }),
    );
  const reply = parse(
    message,
    await client.request({
      path: `${mailPath(mail.replyTo)}/createReply`,
      method: "POST",
      body: {},
      signal,
    }),
  );
  // Outlook has addressed it to whom the original names: what was approved replaces them.
  const draft = parse(
    message,
    await client.request({
      path: mailPath(reply.id),
      method: "PATCH",
      body: toMessage(mail),
      signal,
    }),
  );
  const isAsApproved =
    sameAddresses(draft.toRecipients, mail.to) &&
    sameAddresses(draft.ccRecipients, mail.cc) &&
    sameAddresses(draft.bccRecipients, mail.bcc);
  if (!isAsApproved) throw new CarrelError("account.unexpected-response", { name });
  return draft;
}

/** Mail of the account that is connected, over Microsoft Graph v1.0. */
export function createOutlook(settings: OutlookSettings, ports: OutlookPorts): Tool[] {
  const client = new GraphClient(settings, ports);
  const skill = "outlook-agent";

  const search = accountTool<SearchInput>({
    skill,
    name: "outlook-search",
    description:
      "Finds mails in the person's Outlook mailbox. Without words, it lists the newest ones. Returns IDs for outlook-read.",
    input: searchInput,
    effect: "none",
    isUntrusted: true,
    isRepeatable: true,
    approval: "never",
    object: ({ query, from }) => query ?? from ?? null,
    async run(input, { signal }) {
      const wanted = input.page ?? 1;
      let found = parse(page, await client.request({ path: searchPath(input), signal }));
      for (let at = 1; at < wanted; at++) {
        const next = found["@odata.nextLink"];
        if (next === undefined) return { text: `There is no page ${wanted}.` };
        found = parse(page, await client.request({ path: next, signal }));
      }
      if (found.value.length === 0) return { text: "No mails were found." };
      const more =
        found["@odata.nextLink"] === undefined ? "" : `\n\nThere are more: page ${wanted + 1}.`;
      return { text: found.value.map(writeListed).join("\n\n") + more };
    },
  });

  const read = accountTool<z.infer<typeof readInput>>({
    skill,
    name: "outlook-read",
    description: "Reads a mail of the person's Outlook mailbox. Attachments are only named.",
    input: readInput,
    effect: "none",
    isUntrusted: true,
    isRepeatable: true,
    approval: "never",
    object: () => null,
    async run({ id }, { signal }) {
      const fields =
        "id,subject,from,toRecipients,ccRecipients,receivedDateTime,hasAttachments,body";
      const mail = parse(
        message,
        await client.request({ path: `${mailPath(id)}?$select=${fields}`, signal }),
      );
      const files = mail.hasAttachments
        ? parse(
            attachments,
            await client.request({ path: `${mailPath(id)}/attachments?$select=name,size`, signal }),
          ).value.map(({ name: own, size }) => `${own ?? "unnamed"} (${size ?? 0} bytes)`)
        : [];
      return { text: await writeMail(mail, files) };
    },
  });

  const draft = accountTool<MailDraft>({
    skill,
    name: "outlook-create-draft",
    description: "Creates a draft in the person's Outlook mailbox, which they can send themselves.",
    input: mailDraft,
    effect: "write",
    isUntrusted: false,
    isRepeatable: false,
    approval: "always",
    object: ({ subject }) => subject,
    describe: describeDraft,
    async run(mail, { signal }) {
      const { id } = await createDraft(client, mail, signal);
      return { text: `The draft was created. ID: ${id}` };
    },
  });

  const send = accountTool<MailDraft>({
    skill,
    name: "outlook-send",
    description: "Sends a mail from the person's Outlook account.",
    input: mailDraft,
    effect: "send",
    isUntrusted: false,
    isRepeatable: false,
    approval: "always",
    object: ({ subject }) => subject,
    describe: describeDraft,
    async run(mail, { signal }) {
      if (mail.replyTo === undefined)
        await client.request({
          path: "/me/sendMail",
          method: "POST",
          body: { message: toMessage(mail), saveToSentItems: true },
          signal,
        });
      else {
        const { id } = await createDraft(client, mail, signal);
        await client.request({ path: `${mailPath(id)}/send`, method: "POST", signal });
      }
      return { text: "The mail was sent." };
    },
  });

  return [search, read, draft, send];
}
