import { z } from "zod";
import { scopeSchema } from "../access.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { widgetModes, widgetWire } from "./widget-fields.ts";

/*
 * Internal: what visitors of other sites may do with a widget (wire-contract 8.2). The gateway
 * serves the public routes.
 */

/** A visitor's request, as the gateway identified it. */
const visit = {
  uuid: z.string().max(64),
  /** The page's origin as the browser reports it; null: not reported. */
  origin: z.string().max(300).nullable(),
  /** The request came from a page of this instance. */
  isOwnPage: z.boolean(),
};
const session = {
  sessionId: z.string().max(255),
  /** The `Carrel-Visitor` header. */
  token: z.string().max(4_096).nullable(),
};

/**
 * What determines the rules for pages: CORS, frames and what the full-page chat shows; null:
 * unknown widget.
 */
export const readWidgetPage = defineOperation({
  name: "workspace.visitor.page",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ uuid: z.string().max(64) }),
  output: z.object({
    page: z
      .object({
        /** Allowed origins; null: any. */
        origins: z.array(z.string()).nullable(),
        isEnabled: z.boolean(),
        hasPage: z.boolean(),
        name: z.string().nullable(),
        appearance: widgetWire.shape.appearance,
      })
      .nullable(),
  }),
});

/** Starts a session, or resumes one with a valid token and identity. */
export const beginVisit = defineOperation({
  name: "workspace.visitor.begin",
  service: "workspace",
  access: { who: "internal" },
  input: z.object({
    ...visit,
    token: session.token,
    /** A JWT (HS256) from the site's server. */
    identity: z.string().max(8_192).nullable(),
  }),
  output: z.object({
    sessionId: z.string(),
    token: z.string(),
    showSources: z.boolean(),
    suggestedMessages: z.array(z.string()),
    greeting: z.string().nullable(),
    limitMessages: widgetWire.shape.limit_messages,
    maxMessageLength: z.number().int(),
  }),
});

const admitted = {
  /** Kind `widget`, with the widget's workspace. */
  scope: scopeSchema,
  widgetId: z.number().int(),
  showSources: z.boolean(),
};

/** Throws unless the visitor may use this session. */
export const admitVisitor = defineOperation({
  name: "workspace.visitor.admit",
  service: "workspace",
  access: { who: "internal" },
  input: z.object({ ...visit, ...session }),
  output: z.object(admitted),
});

/** Counts a question towards the widget's limits, unless one is reached. */
export const admitQuestion = defineOperation({
  name: "workspace.visitor.ask",
  service: "workspace",
  access: { who: "internal" },
  input: z.object({
    ...visit,
    ...session,
    /** A question that is sent again with the same key counts once. */
    key: z.string().max(255),
    length: z.number().int(),
    username: z.string().max(255).nullable(),
    prompt: z.string().max(100_000).nullable(),
    model: z.string().max(255).nullable(),
    temperature: z.number().nullable(),
  }),
  output: z.object({
    /** Why the question is refused, with the widget's own text and when to try again. */
    refusal: z
      .object({
        fault: faultWire,
        text: z.string().nullable(),
        retryAfterSeconds: z.number().int().nullable(),
      })
      .nullable(),
    question: z
      .object({
        ...admitted,
        mode: z.enum(widgetModes),
        historyLimit: z.number().int(),
        /** Only what the widget allows pages to override. */
        systemPrompt: z.string().nullable(),
        model: z.string().nullable(),
        temperature: z.number().nullable(),
      })
      .nullable(),
  }),
});

export const visitorContracts: Contracts = {
  operations: [readWidgetPage, beginVisit, admitVisitor, admitQuestion],
};
