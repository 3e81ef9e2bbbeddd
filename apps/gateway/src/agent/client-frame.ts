import { attachmentWire, formAnswer, type FormAnswer } from "@carrel/contracts";
import { z } from "zod";

const clientFrame = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("awaitingFeedback"),
    feedback: z.string().max(200_000),
    attachments: z.array(attachmentWire).max(20).nullish(),
  }),
  z.object({
    type: z.literal("toolApprovalResponse"),
    requestId: z.string().max(100),
    approved: z.boolean(),
  }),
  z.object({
    type: z.literal("agentToolToggle"),
    skill: z.string().min(1).max(200),
    enabled: z.boolean(),
    // Tools of MCP servers are known by their own names.
    serverName: z.string().nullish(),
  }),
  z.object({
    type: z.literal("clarificationResponse"),
    requestId: z.string().max(100),
    skipped: z.boolean().nullish(),
    answers: z
      .array(z.object({ skipped: z.boolean().nullish(), answer: formAnswer.nullish() }))
      .max(20)
      .nullish(),
  }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;

/** A frame of a client (wire-contract 5.5); null for what is malformed or unknown. */
export function readClientFrame(text: string): ClientFrame | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  return clientFrame.safeParse(json).data ?? null;
}

/** The answers to a form as chat takes them: null for a skipped question, none for a skipped form. */
export const answersOf = ({
  skipped,
  answers,
}: Extract<ClientFrame, { type: "clarificationResponse" }>): (FormAnswer | null)[] =>
  skipped === true
    ? []
    : (answers ?? []).map((each) => (each.skipped === true ? null : (each.answer ?? null)));

const bailWords = new Set(["exit", "/exit", "stop", "/stop", "halt", "/halt", "/reset"]);
/** Whether a reply ends the session. */
export const isBailWord = (feedback: string): boolean =>
  bailWords.has(feedback.trim().toLowerCase());

/** Whether a reply asks for an image instead of the agent. */
export const isImageCommand = (feedback: string): boolean => /^\/img\b/i.test(feedback.trim());
