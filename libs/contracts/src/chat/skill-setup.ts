import { z } from "zod";
import { outcomeWire } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { sqlEngines } from "../workspace/skill-declaration.ts";

/* Setting up skills that reach other systems. */

/** As existing clients and connection strings name them. */
const engine = z
  .string()
  .trim()
  .toLowerCase()
  .transform((name) => (["mssql", "sqlserver"].includes(name) ? "sql-server" : name))
  .pipe(z.enum(sqlEngines));

/** wire-contract 2.2. A masked password stands for the saved one of the same server. */
export const validateSqlConnection = defineOperation({
  name: "gateway.sql-connection.validate",
  service: "gateway",
  access: { who: "admin" },
  mount: "custom",
  calls: ["chat"],
  errors: {
    BAD_INPUT: {
      status: 400,
      kind: "json",
      body: { success: false, error: "Both engine and connection details are required." },
    },
  },
  routes: [
    {
      method: "POST",
      path: "/system/validate-sql-connection",
      summary: "Check the connection of a database for agents",
    },
  ],
  input: z.object({ engine, connectionString: z.string().trim().min(1).max(4_096) }),
  output: outcomeWire,
});

/** Internal: why the database can't be used. */
export const checkDatabase = defineOperation({
  name: "chat.skill.check-database",
  service: "chat",
  access: { who: "internal" },
  timeoutMs: 30_000,
  input: z.object({ engine: z.enum(sqlEngines), connectionString: z.string() }),
  output: z.object({ fault: faultWire.nullable() }),
});

const refused = {
  status: 400,
  kind: "json",
  body: { success: false, url: null, error: "$message" },
} as const;

/** wire-contract 7, which gives only the name. */
export const startOutlookSignIn = defineOperation({
  name: "gateway.outlook.start-sign-in",
  service: "gateway",
  access: { who: "session", mode: "single" },
  mount: "custom",
  calls: ["chat"],
  errors: { REFUSED: refused, LINK_REFUSED: refused },
  routes: [
    {
      method: "POST",
      path: "/admin/agent-skills/outlook/auth-url",
      summary: "Start signing in to Outlook; the reply names the page to open",
    },
  ],
  input: z.object({}),
  output: z.object({ success: z.literal(true), url: z.string(), error: z.null() }),
});

/** Redirects to the agents page, whatever the outcome. */
export const finishOutlookSignIn = defineOperation({
  name: "gateway.outlook.finish-sign-in",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  calls: ["chat"],
  success: { status: 302, kind: "empty" },
  routes: [
    {
      method: "GET",
      path: "/agent-skills/outlook/auth-callback",
      summary: "Where Microsoft's sign-in page returns to",
    },
  ],
  input: z.object({}),
  output: z.void(),
});

/** Internal: returns the page to open, and what the browser keeps until it returns. */
export const beginOutlookSignIn = defineOperation({
  name: "chat.skill.begin-outlook-sign-in",
  service: "chat",
  access: { who: "internal" },
  input: z.object({ redirectUri: z.url() }),
  output: z.object({ url: z.string(), sealed: z.string() }),
});

/** Internal. */
export const completeOutlookSignIn = defineOperation({
  name: "chat.skill.complete-outlook-sign-in",
  service: "chat",
  access: { who: "internal" },
  timeoutMs: 60_000,
  input: z.object({ callbackUrl: z.url(), sealed: z.string() }),
  /** The account's address; null if Microsoft doesn't provide it. */
  output: z.object({ address: z.string().nullable() }),
});

export const skillSetupContracts: Contracts = {
  operations: [
    validateSqlConnection,
    checkDatabase,
    startOutlookSignIn,
    finishOutlookSignIn,
    beginOutlookSignIn,
    completeOutlookSignIn,
  ],
};
