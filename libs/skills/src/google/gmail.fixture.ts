/* From Google's published Apps Script reference, as of 2026-11: Gmail service (GmailApp,
 * GmailThread, GmailMessage, GmailDraft, GmailAttachment). */

export interface StandInMail {
  id: string;
  subject: string;
  from: string;
  replyTo?: string;
  to?: string;
  html?: string;
  text?: string;
  isUnread?: boolean;
  attachments?: { name: string; size: number }[];
}
type Options = Record<string, unknown>;

/** A mailbox for the script's `GmailApp`. */
export class GmailStandIn {
  /** Newest conversation first; each lists its mails, oldest first. */
  threads: StandInMail[][] = [];
  readonly drafts: unknown[] = [];
  readonly sent: unknown[] = [];
  readonly queries: string[] = [];
  /** Thrown by the next call. */
  fault: Error | null = null;

  private check(): void {
    const { fault } = this;
    this.fault = null;
    if (fault !== null) throw fault;
  }

  private message(mail: StandInMail) {
    const { drafts, sent } = this;
    return {
      getId: () => mail.id,
      getSubject: () => mail.subject,
      getFrom: () => mail.from,
      getReplyTo: () => mail.replyTo ?? "",
      getTo: () => mail.to ?? "ada@gmail.com",
      getCc: () => "",
      getDate: () => new Date("2026-05-01T10:00:00Z"),
      getBody: () => mail.html ?? "",
      getPlainBody: () => mail.text ?? "",
      isUnread: () => mail.isUnread ?? false,
      getAttachments: ({ includeInlineImages }: { includeInlineImages: boolean }) =>
        includeInlineImages
          ? []
          : (mail.attachments ?? []).map(({ name, size }) => ({
              getName: () => name,
              getSize: () => size,
            })),
      createDraftReply(body: string, options: Options) {
        const draft = { reply: mail.id, body, options };
        drafts.push(draft);
        return {
          getMessageId: () => `draft-${drafts.length}`,
          send: () => void sent.push(drafts.splice(drafts.indexOf(draft), 1)[0]),
        };
      },
    };
  }

  readonly app = {
    search: (query: string, start: number, max: number) => {
      this.check();
      this.queries.push(query);
      return this.threads.slice(start, start + max).map((mails) => ({
        mails,
        getFirstMessageSubject: () => mails[0]!.subject,
        getMessageCount: () => mails.length,
      }));
    },
    getMessagesForThreads: (threads: { mails: StandInMail[] }[]) =>
      threads.map(({ mails }) => mails.map((mail) => this.message(mail))),
    getMessageById: (id: string) => {
      this.check();
      const mail = this.threads.flat().find((each) => each.id === id);
      if (mail === undefined) throw new Error("Invalid argument: id");
      return this.message(mail);
    },
    createDraft: (to: string, subject: string, body: string, options: Options) => {
      this.check();
      this.drafts.push({ to, subject, body, options });
      return { getMessageId: () => `draft-${this.drafts.length}` };
    },
    sendEmail: (to: string, subject: string, body: string, options: Options) => {
      this.check();
      this.sent.push({ to, subject, body, options });
    },
  };
}
