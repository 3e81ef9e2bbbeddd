import { agentLabels, secretMask } from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { storedConfig, storedConnections } from "./agent-preference.ts";
import { preferenceDefinitions } from "./preference-definition.ts";

const box = new SecretBox(Buffer.alloc(32, 7));

/** Writes like a client; returns what is stored. */
function write(label: string, kept: unknown, sent: unknown): unknown {
  const { write: parse, merge } = preferenceDefinitions.get(label)!;
  const value = parse!(sent);
  return value === undefined ? kept : merge!(kept, value, box);
}
const read = (label: string, kept: unknown): unknown =>
  preferenceDefinitions.get(label)!.read?.(kept, { values: new Map() });

const act = (kept: unknown, ...actions: object[]): unknown =>
  write(agentLabels.sqlConnections, kept, JSON.stringify(actions));
const sales = {
  action: "add",
  engine: "postgresql",
  database_id: "sales",
  connectionString: "postgresql://ann:s%20e@db.example:5433/shop",
  schema: "public",
};
const textOf = (kept: unknown, at = 0): string =>
  box.open(storedConnections.parse(kept)[at]!.sealed);

describe("SQL connections", () => {
  it("are sealed, and read without their passwords", () => {
    const kept = act(undefined, sales);
    expect(JSON.stringify(kept)).not.toMatch(/s%20e|s e/);
    expect(textOf(kept)).toBe(sales.connectionString);
    expect(read(agentLabels.sqlConnections, kept)).toEqual([
      {
        database_id: "sales",
        engine: "postgresql",
        schema: "public",
        username: "ann",
        password: secretMask,
        hasPassword: undefined,
        host: "db.example",
        port: "5433",
        database: "shop",
        scheme: "postgresql",
      },
    ]);
  });

  it("are added, updated and removed; names stay unique", () => {
    const two = act(undefined, sales, { ...sales, engine: "mssql", schema: null });
    expect(storedConnections.parse(two).map(({ name, engine }) => [name, engine])).toEqual([
      ["sales", "postgresql"],
      ["sales-2", "sql-server"],
    ]);
    const renamed = act(two, {
      ...sales,
      action: "update",
      database_id: "shop",
      originalDatabaseId: "sales",
    });
    expect(storedConnections.parse(renamed).map(({ name }) => name)).toEqual(["shop", "sales-2"]);
    expect(storedConnections.parse(renamed)[0]!.sealed).toBe(
      storedConnections.parse(two)[0]!.sealed,
    );
    expect(act(renamed, { action: "remove", database_id: "shop" })).toHaveLength(1);
    expect(
      act(renamed, ...["shop", "sales-2"].map((name) => ({ action: "remove", database_id: name }))),
    ).toBeNull();
  });

  it("keep a masked password for the same server only", () => {
    const kept = act(undefined, sales);
    const update = { ...sales, action: "update" };
    const masked = `postgresql://bob:${secretMask}@db.example:5433/other`;
    expect(textOf(act(kept, { ...update, connectionString: masked }))).toBe(
      "postgresql://bob:s%20e@db.example:5433/other",
    );
    const elsewhere = `postgresql://ann:${secretMask}@evil.example/shop`;
    expect(textOf(act(kept, { ...update, connectionString: elsewhere }))).toBe(
      "postgresql://ann@evil.example:5432/shop",
    );
  });

  it.each(["nonsense", "{}", 7, null, "[1]", [{ ...sales, engine: "oracle" }], [{}]])(
    "are unchanged by %j",
    (sent) => {
      const kept = act(undefined, sales);
      expect(write(agentLabels.sqlConnections, kept, sent)).toEqual(kept);
    },
  );
});

describe("configurations of skills that sign in elsewhere", () => {
  const open = (kept: unknown): Record<string, string> => {
    const { values, sealed } = storedConfig.parse(kept);
    return {
      ...values,
      ...Object.fromEntries(Object.entries(sealed).map(([name, each]) => [name, box.open(each)])),
    };
  };
  const gmail = (kept: unknown, sent: unknown): unknown => write(agentLabels.gmail, kept, sent);

  it("are merged, sealed and hidden", () => {
    const kept = gmail(
      undefined,
      JSON.stringify({ deploymentId: "AKf", apiKey: "first-key", more: 1 }),
    );
    expect(JSON.stringify(kept)).not.toContain("first-key");
    expect(open(kept)).toEqual({ deploymentId: "AKf", apiKey: "first-key" });
    expect(preferenceDefinitions.get(agentLabels.gmail)!.read).toBeUndefined();
    expect(open(gmail(kept, { apiKey: "second-key" }))).toEqual({
      deploymentId: "AKf",
      apiKey: "second-key",
    });
    expect(open(gmail(kept, { deploymentId: "AKf", apiKey: "*****" }))).toEqual(open(kept));
    expect(gmail(kept, { deploymentId: "", apiKey: "" })).toBeNull();
    expect(gmail(kept, "nonsense")).toEqual(kept);
  });

  it("don't take their secrets to another address", () => {
    const kept = gmail(undefined, { deploymentId: "AKf", apiKey: "first-key" });
    expect(open(gmail(kept, { deploymentId: "other", apiKey: "****" }))).toEqual({
      deploymentId: "other",
    });
    const outlook = write(agentLabels.outlook, undefined, {
      clientId: "c",
      tenantId: "t",
      clientSecret: "s",
    });
    const signedIn = { ...(outlook as object), sealed: { refreshToken: box.seal("r") } };
    expect(open(write(agentLabels.outlook, signedIn, { clientId: "c" }))).toMatchObject({
      refreshToken: "r",
    });
    expect(open(write(agentLabels.outlook, signedIn, { clientId: "d" }))).toEqual({
      clientId: "d",
      tenantId: "t",
    });
    // Only signing in stores a token.
    expect(open(write(agentLabels.outlook, outlook, { refreshToken: "x" }))).not.toHaveProperty(
      "refreshToken",
    );
  });
});

describe("rules and choices", () => {
  const plain = (label: string, sent: unknown): unknown =>
    preferenceDefinitions.get(label)!.write!(sent);
  it.each([
    [
      agentLabels.rules,
      '{"sql-agent":"forbid","mcp:files":"ask"}',
      { "sql-agent": "forbid", "mcp:files": "ask" },
    ],
    [agentLabels.rules, '{"sql-agent":"maybe"}', undefined],
    [agentLabels.rules, null, null],
    [agentLabels.searchProvider, "tavily-search", "tavily-search"],
    [agentLabels.searchProvider, "google-search-engine", "google-search-engine"],
    [agentLabels.searchProvider, "none", null],
    [agentLabels.maxQuestions, "99", 10],
    [agentLabels.maxQuestions, "x", 3],
  ])("stores %s %j as %j", (label, sent, kept) => {
    expect(plain(label, sent)).toEqual(kept);
  });
});
