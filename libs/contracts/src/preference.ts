import { z } from "zod";
import { pageIndex } from "./coercion.ts";
import { defineEvent, defineOperation } from "./operation.ts";

/*
 * Branding and the settings that wire-contract 7 calls preferences: rows of the workspace service.
 */

export const getCustomAppName = defineOperation({
  name: "workspace.branding.app-name",
  service: "workspace",
  access: { who: "public" },
  http: {
    method: "GET",
    path: "/system/custom-app-name",
    summary: "Name of the instance, where one was set",
  },
  input: z.object({}),
  output: z.object({ customAppName: z.string().nullable() }),
});
export const getFooterData = defineOperation({
  name: "workspace.branding.footer",
  service: "workspace",
  access: { who: "session" },
  http: {
    method: "GET",
    path: "/system/footer-data",
    summary: "Footer icons as JSON text: at most three {icon,url}",
  },
  input: z.object({}),
  output: z.object({ footerData: z.string() }),
});
export const getSupportEmail = defineOperation({
  name: "workspace.branding.support-email",
  service: "workspace",
  access: { who: "session" },
  http: {
    method: "GET",
    path: "/system/support-email",
    summary: "Address of the support of this instance",
  },
  input: z.object({}),
  output: z.object({ supportEmail: z.string().nullable() }),
});
export const isDefaultLogo = defineOperation({
  name: "workspace.branding.is-default-logo",
  service: "workspace",
  access: { who: "public" },
  http: { method: "GET", path: "/system/is-default-logo", summary: "Whether no logo was set" },
  input: z.object({}),
  output: z.object({ isDefaultLogo: z.boolean() }),
});
export const getLogo = defineOperation({
  name: "gateway.branding.logo",
  service: "gateway",
  access: { who: "public" },
  http: {
    method: "GET",
    path: "/system/logo",
    mount: "custom",
    summary: "The logo; X-Is-Custom-Logo tells whether it was set",
  },
  input: z.object({ theme: z.string().max(32).optional() }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});
export const uploadLogo = defineOperation({
  name: "gateway.branding.upload-logo",
  service: "gateway",
  access: { who: "manager" },
  http: {
    method: "POST",
    path: "/system/upload-logo",
    mount: "custom",
    summary: "Set the logo (multipart field logo)",
  },
  input: z.object({}),
  output: z.object({ message: z.string() }),
  errors: {
    BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
    UNSUPPORTED: { status: 415, kind: "json", body: { message: "$message" } },
    TOO_LARGE: { status: 413, kind: "json", body: { message: "$message" } },
  },
});
/** GET on this wire although it writes; the Origin rules keep other sites out. */
export const removeLogo = defineOperation({
  name: "gateway.branding.remove-logo",
  service: "gateway",
  access: { who: "manager" },
  idempotency: "natural",
  http: {
    method: "GET",
    path: "/system/remove-logo",
    mount: "custom",
    summary: "Go back to the default logo",
  },
  input: z.object({}),
  output: z.object({ message: z.string() }),
});
/**
 * Internal: blob key and type of the custom logo, and setting it; gives the key that is free now.
 */
export const findLogo = defineOperation({
  name: "workspace.branding.find-logo",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 5_000,
  input: z.object({}),
  output: z.object({ key: z.string().nullable() }),
});
export const setLogo = defineOperation({
  name: "workspace.branding.set-logo",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ key: z.string().nullable() }),
  output: z.object({ previous: z.string().nullable() }),
});

const welcomeMessage = z.object({ user: z.string(), response: z.string() });
export const getWelcomeMessages = defineOperation({
  name: "workspace.branding.welcome-messages",
  service: "workspace",
  access: { who: "session" },
  http: {
    method: "GET",
    path: "/system/welcome-messages",
    summary: "Messages that an empty chat shows",
  },
  input: z.object({}),
  output: z.object({ success: z.boolean(), welcomeMessages: z.array(welcomeMessage) }),
});
export const setWelcomeMessages = defineOperation({
  name: "workspace.branding.set-welcome-messages",
  service: "workspace",
  access: { who: "manager" },
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/system/set-welcome-messages",
    summary: "Set the messages that an empty chat shows",
  },
  input: z.object({
    messages: z
      .array(
        z.object({
          user: z.string().max(10_000).nullish(),
          response: z.string().max(10_000).nullish(),
        }),
      )
      .max(100),
  }),
  output: z.object({ success: z.boolean(), message: z.string() }),
  errors: {
    BAD_INPUT: {
      status: 400,
      kind: "json",
      body: { success: false, message: "Invalid message format. Expected an array of messages." },
    },
  },
});

export const getOnboarding = defineOperation({
  name: "workspace.onboarding.get",
  service: "workspace",
  access: { who: "public" },
  calls: ["auth"],
  http: { method: "GET", path: "/onboarding", summary: "Whether the first-run wizard is done" },
  input: z.object({}),
  output: z.object({ onboardingComplete: z.boolean() }),
});
export const completeOnboarding = defineOperation({
  name: "workspace.onboarding.complete",
  service: "workspace",
  access: { who: "session" },
  idempotency: "natural",
  http: { method: "POST", path: "/onboarding", summary: "The first-run wizard is done" },
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

/** wire-contract 7: csv of labels; unknown ones are left out, managers see their five. */
export const listPreferences = defineOperation({
  name: "workspace.preference.list",
  service: "workspace",
  access: { who: "manager" },
  http: {
    method: "GET",
    path: "/admin/system-preferences-for",
    summary: "System preferences by label",
  },
  input: z.object({ labels: z.string().max(4096).default("") }),
  output: z.object({ settings: z.record(z.string(), z.unknown()) }),
});
/**
 * The body is the flat map itself; labels that the caller may not set are dropped, as the wire has
 * it.
 */
export const updatePreferences = defineOperation({
  name: "workspace.preference.update",
  service: "workspace",
  access: { who: "manager" },
  idempotency: "natural",
  http: { method: "POST", path: "/admin/system-preferences", summary: "Set system preferences" },
  input: z.object({ preferences: z.record(z.string().max(128), z.unknown()) }),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
});

export const eventLogWire = z.object({
  id: z.number().int(),
  event: z.string(),
  metadata: z.string().nullable(),
  userId: z.number().int().nullable(),
  occurredAt: z.string(),
  user: z.object({ username: z.string() }),
});
/** Newest first; `offset` is a page number. */
export const listEvents = defineOperation({
  name: "workspace.event.list",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  calls: ["auth"],
  http: { method: "POST", path: "/system/event-logs", summary: "A page of the event log" },
  input: z.object({
    offset: pageIndex.default(0),
    limit: z.coerce.number().int().min(1).max(100).catch(10).default(10),
  }),
  output: z.object({
    logs: z.array(eventLogWire),
    hasPages: z.boolean(),
    totalLogs: z.number().int(),
  }),
});
export const clearEvents = defineOperation({
  name: "workspace.event.clear",
  service: "workspace",
  access: { who: "admin" },
  http: {
    method: "DELETE",
    path: "/system/event-logs",
    summary: "Empty the event log; that it was emptied is its first entry",
  },
  input: z.object({}),
  output: z.object({ success: z.boolean() }),
});

/** Name, logo, footer, support address, messages: what pages cache of them is void. */
export const brandingChanged = defineEvent({
  name: "branding.changed",
  service: "workspace",
  consumers: [],
  payload: z.object({}),
});
