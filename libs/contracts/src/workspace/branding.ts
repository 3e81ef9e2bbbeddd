import { z } from "zod";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";

/*
 * Branding and the settings that wire-contract 7 calls preferences: rows of the workspace service.
 */

export const getCustomAppName = defineOperation({
  name: "workspace.branding.app-name",
  service: "workspace",
  access: { who: "public" },
  routes: [
    {
      method: "GET",
      path: "/system/custom-app-name",
      summary: "Get the instance's custom name",
    },
  ],
  input: z.object({}),
  output: z.object({ customAppName: z.string().nullable() }),
});

export const getFooterData = defineOperation({
  name: "workspace.branding.footer",
  service: "workspace",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/system/footer-data",
      summary: "Get the footer icons as JSON text: at most three {icon,url}",
    },
  ],
  input: z.object({}),
  output: z.object({ footerData: z.string() }),
});

export const getSupportEmail = defineOperation({
  name: "workspace.branding.support-email",
  service: "workspace",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/system/support-email",
      summary: "Get the support address",
    },
  ],
  input: z.object({}),
  output: z.object({ supportEmail: z.string().nullable() }),
});

/**
 * Carrel-specific: what the browser's tab shows. `title` replaces the instance's name there;
 * without either it shows Carrel.
 */
export const getPageBranding = defineOperation({
  name: "workspace.branding.page",
  service: "workspace",
  access: { who: "public" },
  timeoutMs: 5_000,
  routes: [
    {
      method: "GET",
      path: "/system/page-branding",
      summary: "Get the custom title and icon of the app's pages",
    },
  ],
  input: z.object({}),
  output: z.object({
    title: z.string().nullable(),
    name: z.string().nullable(),
    favicon: z.string().nullable(),
  }),
});

export const isDefaultLogo = defineOperation({
  name: "workspace.branding.is-default-logo",
  service: "workspace",
  access: { who: "public" },
  routes: [
    {
      method: "GET",
      path: "/system/is-default-logo",
      summary: "Check whether the default logo is in use",
    },
  ],
  input: z.object({}),
  output: z.object({ isDefaultLogo: z.boolean() }),
});

export const getLogo = defineOperation({
  name: "gateway.branding.logo",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/system/logo",
      summary: "Get the logo; X-Is-Custom-Logo says whether it is a custom one",
    },
  ],
  input: z.object({ theme: z.string().max(32).optional() }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

/** Without a theme, a call affects the logos of both, as existing clients expect. */
const logoTheme = z.enum(["default", "light"]).optional();

export const uploadLogo = defineOperation({
  name: "gateway.branding.upload-logo",
  service: "gateway",
  access: { who: "manager" },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/system/upload-logo",
      summary: "Set the logo (multipart field logo), of one theme or both",
    },
  ],
  input: z.object({ theme: logoTheme }),
  output: z.object({ message: z.string() }),
  errors: {
    BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
    UNSUPPORTED: { status: 415, kind: "json", body: { message: "$message" } },
    TOO_LARGE: { status: 413, kind: "json", body: { message: "$message" } },
  },
});

/** A GET on this wire although it writes; the Origin rules block other sites. */
export const removeLogo = defineOperation({
  name: "gateway.branding.remove-logo",
  service: "gateway",
  access: { who: "manager" },
  idempotency: "natural",
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/system/remove-logo",
      changesState: true,
      summary: "Restore the default logo, of one theme or both",
    },
  ],
  input: z.object({ theme: logoTheme }),
  output: z.object({ message: z.string() }),
});

/**
 * Internal: blob keys of the custom logos. `light` is for the light theme only, which otherwise
 * shows the other one. Setting them returns the keys that are no longer used.
 */
export const findLogo = defineOperation({
  name: "workspace.branding.find-logo",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 5_000,
  input: z.object({}),
  output: z.object({ key: z.string().nullable(), light: z.string().nullable() }),
});

export const setLogo = defineOperation({
  name: "workspace.branding.set-logo",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ key: z.string().nullable(), theme: logoTheme }),
  output: z.object({ unused: z.array(z.string()) }),
});

const welcomeMessage = z.object({ user: z.string(), response: z.string() });

export const getWelcomeMessages = defineOperation({
  name: "workspace.branding.welcome-messages",
  service: "workspace",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/system/welcome-messages",
      summary: "Get the welcome messages",
    },
  ],
  input: z.object({}),
  output: z.object({ success: z.boolean(), welcomeMessages: z.array(welcomeMessage) }),
});

export const setWelcomeMessages = defineOperation({
  name: "workspace.branding.set-welcome-messages",
  service: "workspace",
  access: { who: "manager" },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/system/set-welcome-messages",
      summary: "Set the welcome messages",
    },
  ],
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

/**
 * Name, title, logo, footer, support address or messages changed: pages must drop cached branding.
 */
export const brandingChanged = defineEvent({
  name: "branding.changed",
  service: "workspace",
  consumers: [],
  payload: z.object({}),
});

export const brandingContracts: Contracts = {
  operations: [
    getCustomAppName,
    getFooterData,
    getSupportEmail,
    getPageBranding,
    isDefaultLogo,
    getLogo,
    uploadLogo,
    removeLogo,
    findLogo,
    setLogo,
    getWelcomeMessages,
    setWelcomeMessages,
  ],
  events: [brandingChanged],
};
