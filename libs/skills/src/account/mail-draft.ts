import { z } from "zod";
import type { ApprovalDetail } from "../tool.ts";

/** One address without a name, so that an approval shows where the mail goes and nothing else. */
export const mailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(
    /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i,
    {
      message: "must be one e-mail address, without a name",
    },
  );
const addresses = z.array(mailAddress).max(50);

/** A mail that a model has written. */
export const mailDraft = z.object({
  to: addresses.min(1).describe("E-mail addresses, without names."),
  cc: addresses.optional(),
  bcc: addresses.optional(),
  subject: z
    .string()
    .max(250)
    // A line break could start another header.
    .regex(/^[^\r\n\p{Cc}]*$/u, { message: "must be one line" }),
  body: z.string().min(1).max(100_000).describe("Plain text."),
  replyTo: z
    .string()
    .max(500)
    .optional()
    .describe("ID of the mail that this replies to. Recipients and subject are still required."),
});
export type MailDraft = z.infer<typeof mailDraft>;

/** All that is sent, for an approval: nothing is shortened. */
export function describeDraft(mail: MailDraft): {
  destination: string;
  details: ApprovalDetail[];
} {
  const { to, cc = [], bcc = [], subject, body } = mail;
  return {
    destination: [...to, ...cc, ...bcc].join(", "),
    details: [
      { label: "To", value: to.join(", ") },
      ...(cc.length === 0 ? [] : [{ label: "Cc", value: cc.join(", ") }]),
      ...(bcc.length === 0 ? [] : [{ label: "Bcc", value: bcc.join(", ") }]),
      { label: "Subject", value: subject },
      { label: "Text", value: body },
    ],
  };
}
