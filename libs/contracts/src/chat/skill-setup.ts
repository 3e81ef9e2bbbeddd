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

export const skillSetupContracts: Contracts = {
  operations: [validateSqlConnection, checkDatabase],
};
